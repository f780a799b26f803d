import type { RegistryClient } from '../../shared/client/operations.ts';
import { RequestError } from '../../shared/client/request-error.ts';
import type { Scope } from '../../shared/domain/scope.ts';
import type { Caller } from '../../shared/schemas/caller.ts';
import { createApi } from '../api/api.ts';
import { toRequestError } from '../api/use-answer.ts';
import { createStore, useStore } from '../frame/store.ts';

/** As whom the console asks. */
export interface Session {
  readonly api: RegistryClient;
  /** Null where nobody is signed in, or that is still to be found out. */
  readonly caller: Caller | null;
  /** Whether the registry needs no token. */
  readonly isOpen: boolean;
  /** Why a token that was kept is good for nothing. */
  readonly refusal: RequestError | null;
}

const tokenKey = 'registry-token';

const nobody: Session = { api: createApi(null), caller: null, isOpen: false, refusal: null };

const session = createStore<Session>(nobody);

/** A browser may forbid to keep anything: then the token is lost with the page. */
const attempt = <T>(keep: () => T): T | null => {
  try {
    return keep();
  } catch {
    return null;
  }
};

const askWho = async (token: string): Promise<Session> => {
  const api = createApi(token);
  return { ...nobody, api, caller: await api.showCaller() };
};

/**
 * Takes a token that the registry accepts, and keeps it until the window is closed.
 * @throws {RequestError} with the registry's reason, where it does not
 */
export const signIn = async (token: string): Promise<void> => {
  if (!/^[!-~]+$/.test(token)) {
    const detail = 'This is no token: tokens are letters, digits and -._~';
    throw new RequestError({ code: 'invalid_token', detail });
  }
  const known = await askWho(token);
  attempt(() => sessionStorage.setItem(tokenKey, token));
  session.set(() => known);
};

export const signOut = (): void => {
  attempt(() => sessionStorage.removeItem(tokenKey));
  session.set(() => nobody);
};

const findOut = async (): Promise<Session> => {
  const token = attempt(() => sessionStorage.getItem(tokenKey));
  if (token !== null) return askWho(token);
  const { authentication } = await nobody.api.showService();
  return { ...nobody, isOpen: authentication === 'disabled' };
};

/** Finds out as whom the console asks; without an answer as nobody, who may read. */
export const resumeSession = async (): Promise<void> => {
  try {
    const found = await findOut();
    session.set(() => found);
  } catch (error) {
    session.set(() => ({ ...nobody, refusal: toRequestError(error) }));
  }
};

export const useSession = (): Session => useStore(session);

/** Whether something can be tried; the registry has the last word. */
export const may = ({ caller, isOpen }: Session, scope: Scope): boolean =>
  isOpen || (caller?.scopes.includes(scope) ?? false);
