import type { ClientOptions, RegistryClient } from '../../shared/api/client/client.ts';
import { findTokenFault } from '../../shared/api/client/credentials.ts';
import { type Credential, type Credentials, findCredential } from './credentials.ts';
import type { JobTokenSource } from './environment.ts';
import { refuseFault } from './settings.ts';

/** Loads the audience of ID tokens of CI jobs; null if the registry accepts none. Registries of earlier releases have no such field. */
const loadAudience = async (client: Pick<RegistryClient, 'showService'>): Promise<string | null> =>
  (await client.showService()).job_audience ?? null;

type FindClient = () => Pick<RegistryClient, 'showService'>;

/** Returns the function that returns the ID token of a CI job; undefined if the registry accepts none. */
const createJobReader = (job: JobTokenSource, findClient: FindClient) => {
  const load = async (): Promise<(() => Promise<string>) | null> => {
    const audience = await loadAudience(findClient());
    if (audience === null) return null;
    const { createJobToken } = await import('./job-token.ts');
    return createJobToken(job, audience);
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (): Promise<string | undefined> => {
    // A failed request is repeated with the next operation.
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return (await loaded)?.();
  };
};

/**
 * Returns the token of a credential; nothing for an ID token.
 * @throws {UsageError} if a header cannot carry the token
 */
const readToken = (credential: Credential | undefined): Pick<ClientOptions, 'token'> => {
  if (credential?.kind !== 'token') return {};
  refuseFault('token', credential, findTokenFault(credential.value));
  return { token: credential.value };
};

/**
 * Returns the token or the ID token for a client. The registry's audience for CI jobs is loaded when a request needs an ID token.
 * @param findClient returns the client itself, which loads the audience
 * @throws {UsageError} if a header cannot carry the token
 */
export const openCallerTokens = (
  credentials: Credentials,
  findClient: FindClient,
): Pick<ClientOptions, 'token' | 'idToken'> => {
  const [first, next] = credentials.list();
  const job = first?.kind === 'job' ? first.job : credentials.lacking;
  const readSignIn = async (): Promise<string | undefined> => {
    const current = findCredential(credentials);
    return current?.kind === 'sign_in' ? current.read() : undefined;
  };
  if (!job) return first?.kind === 'sign_in' ? { idToken: readSignIn } : readToken(first);
  const readJobToken = createJobReader(job, findClient);
  return {
    ...readToken(next),
    idToken: async () => {
      const idToken = await readJobToken();
      if (idToken !== undefined) return idToken;
      credentials.dropJob();
      return readSignIn();
    },
  };
};
