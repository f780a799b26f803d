import { text as readAll } from 'node:stream/consumers';
import * as z from 'zod';
import { findTokenFault, findUrlFault } from '../../../shared/api/client/credentials.ts';
import type { Caller } from '../../../shared/api/schemas/caller.ts';
import { InterruptedError } from '../../input/interrupted-error.ts';
import { openPrompt } from '../../input/prompt.ts';
import { UsageError } from '../../input/usage-error.ts';
import { applyQuiet, type Terminal } from '../../output/terminal.ts';
import type { CommonFlags } from '../../session/common-flags.ts';
import {
  findUrl,
  readConfig,
  replaceCredentials,
  updateConfig,
} from '../../session/config-file.ts';
import { createCredentials } from '../../session/credentials.ts';
import type { Environment } from '../../session/environment.ts';
import { type Session, startSession } from '../../session/session.ts';
import { refuseFault, type Settings, type Sourced } from '../../session/settings.ts';

/** The context of a login. */
interface LoginContext {
  readonly flags: CommonFlags;
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Receives every session, so that a failure can name the source of its settings. */
  readonly onSession: (session: Session) => void;
}

const typed = 'the prompt';

/** Returns whether standard input is a terminal, wherever the result goes. */
const isInteractive = (): boolean => process.stdin.isTTY === true;

/** @throws {InterruptedError} if the user leaves */
const ask = async (question: string, isHidden: boolean): Promise<string> => {
  const prompt = openPrompt({ isHidden, shown: process.stderr });
  try {
    const answer = await prompt.ask(question);
    if (answer === undefined) throw new InterruptedError();
    return answer;
  } catch (error) {
    throw prompt.interrupted.aborted ? new InterruptedError() : error;
  } finally {
    prompt.close();
  }
};

const askUrl = async (context: LoginContext): Promise<Sourced> => {
  const { flags, environment } = context;
  const { configFile } = environment;
  const config = readConfig(configFile);
  if (flags.url !== undefined) return { value: findUrl(config, flags.url), source: '--url' };
  const known = environment.url ?? config.url;
  if (!isInteractive()) {
    const source = environment.url === undefined ? configFile : 'REGISTRY_URL';
    if (known !== undefined) return { value: known, source };
    throw new UsageError('No registry is set. Give --url, or log in at a terminal.');
  }
  const suggestion = known === undefined ? '' : ` [${known}]`;
  const value = (await ask(`URL of the registry${suggestion}: `, false)) || known || '';
  return { value, source: typed };
};

const askToken = async (context: LoginContext): Promise<Sourced | undefined> => {
  const { token } = context.flags;
  if (token !== undefined) return { value: token, source: '--token' };
  const value = isInteractive()
    ? await ask('Token (hidden; empty: only read): ', true)
    : (await readAll(process.stdin)).trim();
  return value === '' ? undefined : { value, source: isInteractive() ? typed : 'standard input' };
};

const Service = z.looseObject({
  authentication: z.enum(['enabled', 'disabled']),
  // Registries of earlier releases have no such field.
  sign_in: z.object({ issuer: z.url(), client_id: z.string() }).nullable().default(null),
});

const connect = (context: LoginContext, settings: Settings): Session => {
  const session = startSession(settings, { ...context, writes: true });
  context.onSession(session);
  return session;
};

/** Loads what the registry says of tokens and accounts. */
const loadService = async ({ client, settings }: Session): Promise<z.infer<typeof Service>> => {
  const { success, data } = Service.safeParse(await client.showService());
  if (success) return data;
  throw new UsageError(`${settings.url.value} is no package registry. Check the URL.`);
};

/** Environment variables override the config file that login has written. */
const warnOfVariables = ({ flags, environment, terminal }: LoginContext): void => {
  const { url, token } = environment;
  const set = [...(url ? ['REGISTRY_URL'] : []), ...(token ? ['REGISTRY_TOKEN'] : [])];
  if (set.length === 0) return;
  const { warn } = applyQuiet(terminal, flags.quiet);
  warn(`${set.join(' and ')} ${set.length > 1 ? 'override' : 'overrides'} the config file.`);
};

/** What a login found: the caller, and what the config file keeps. */
interface Accepted {
  readonly caller: Caller | undefined;
  readonly saved: Parameters<typeof replaceCredentials>[2];
}

/** Asks for a token, and checks it. */
const acceptToken = async (context: LoginContext, settings: Settings): Promise<Accepted> => {
  const token = await askToken(context);
  if (!token) return { caller: undefined, saved: {} };
  refuseFault('token', token, findTokenFault(token.value));
  const credentials = createCredentials([{ ...token, kind: 'token' }]);
  const caller = await connect(context, { ...settings, credentials }).client.showCaller();
  return { caller, saved: { token: token.value } };
};

/**
 * Has the user sign in at the registry's provider, and checks the account.
 * @throws {UsageError} if the registry has no sign-in by accounts
 */
const acceptAccount = async (
  context: LoginContext,
  settings: Settings,
  { sign_in, port }: z.infer<typeof Service> & { readonly port: number | undefined },
): Promise<Accepted> => {
  if (!sign_in) {
    throw new UsageError(
      `${settings.url.value} has no sign-in by accounts. Use a token: registry login`,
    );
  }
  const { signIn } = await import('./sign-in.ts');
  const tokens = await signIn(sign_in, context.terminal, port);
  const read = async () => tokens.idToken;
  const credentials = createCredentials([{ kind: 'sign_in', source: 'the sign-in', read }]);
  const caller = await connect(context, { ...settings, credentials }).client.showCaller();
  const { toSignIn } = await import('../../session/saved-sign-in.ts');
  return { caller, saved: { signIn: toSignIn(tokens, sign_in) } };
};

/**
 * Asks for a registry and a token or a sign-in, checks both, and saves them.
 * @throws {RequestError} if the registry does not answer or accept the token; nothing is saved then
 * @throws {InterruptedError} if the user leaves
 */
export const runLogin = async (
  context: LoginContext,
  { sso = false, port }: { readonly sso?: boolean; readonly port?: number },
): Promise<object> => {
  const { proxies, configFile } = context.environment;
  if (sso && context.flags.token !== undefined) {
    throw new UsageError('Give only one of --sso and --token.');
  }
  const url = await askUrl(context);
  refuseFault('URL', url, findUrlFault(url.value));
  const credentials = createCredentials([]);
  const settings = { url, credentials, proxies: Object.keys(proxies) };
  const service = await loadService(connect(context, settings));
  const { authentication } = service;
  const isOpen = authentication === 'disabled' && !sso;
  const accept = sso ? acceptAccount : acceptToken;
  const { caller, saved } = isOpen
    ? { caller: undefined, saved: {} }
    : await accept(context, settings, { ...service, port });
  await updateConfig(configFile, (config) => ({
    ...replaceCredentials(config, url.value, saved),
    url: url.value,
  }));
  warnOfVariables(context);
  return { url: url.value, authentication, ...caller, file: configFile };
};
