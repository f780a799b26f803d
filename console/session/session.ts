import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import type { Caller } from '../../shared/api/schemas/caller.ts';
import type { Scope } from '../../shared/domain/tokens/scope.ts';
import { createConsoleClient, registryUrl } from '../api/client.ts';
import { noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { createStore, useStore } from '../state/store.ts';
import { joinTabs, type TabMessage } from './session-tabs.ts';

/** As whom the console asks. */
export interface Session {
  readonly api: RegistryClient;
  /** Null where nobody is signed in, or that is still to be found out. Stays when the session ends, so that open forms do. */
  readonly caller: Caller | null;
  /** Whether the registry needs no token. */
  readonly isAuthDisabled: boolean;
  /** Whether the registry refused the token since somebody signed in with it. */
  readonly isEnded: boolean;
  /** Why that is so, or why nobody knows who is signed in. */
  readonly refusal: RequestError | null;
}

const tokenKey = 'registry-token';

/** The token in use; null where nobody is signed in. */
let current: string | null = null;

/** Tokens that the registry refused since somebody signed in with them. */
const ended = new Set<string>();

const signInAgain = (): RequestError =>
  new RequestError({
    ...{ status: 401, code: 'missing_token' },
    detail: 'Your session has ended. Sign in again, then repeat this.',
  });

/** What asks as the owner of a token, whoever is signed in later: what they decided is sent as them. */
const createApiOf = (token: string): RegistryClient =>
  createConsoleClient({
    readToken: () => {
      if (ended.has(token)) throw signInAgain();
      return token;
    },
    noteRefused: (refused, refusal) => {
      ended.add(refused);
      if (refused === current) endSession(refusal);
    },
  });

const nobody: Session = {
  ...{ api: createConsoleClient(), caller: null, refusal: null },
  ...{ isAuthDisabled: false, isEnded: false },
};

const session = createStore<Session>(nobody);

/**
 * Returns the name of who presents a token, for people: its label, or the beginning of its SHA-256 where it has none.
 * Null without a token.
 */
export const describeCaller = (caller: Caller | null): string | null => {
  if (caller === null) return null;
  const { label, fingerprint } = caller;
  return label ?? (fingerprint === null ? null : `token ${fingerprint}`);
};

/** A browser may forbid to keep anything: then the token is lost with the page. */
const attempt = <T>(keep: () => T): T | null => {
  try {
    return keep();
  } catch {
    return null;
  }
};

/** Keeps the token for this tab, also when the page is loaded again; null forgets it. */
const keepToken = (token: string | null): void => {
  current = token;
  attempt(() =>
    token === null ? sessionStorage.removeItem(tokenKey) : sessionStorage.setItem(tokenKey, token),
  );
};

/** Signs this tab in with a token. @throws {RequestError} with the registry's reason, where it refuses the token */
const take = async (token: string): Promise<void> => {
  ended.delete(token);
  const api = createApiOf(token);
  const caller = await api.showCaller();
  keepToken(token);
  session.set(() => ({ ...nobody, api, caller }));
};

const forget = (): void => {
  keepToken(null);
  session.set(() => nobody);
};

const markEnded = (refusal: RequestError): void => {
  keepToken(null);
  session.set((before) => ({ ...before, isEnded: true, refusal }));
};

/** What other tabs tell: who signs in or out does so in all of them. Nobody's own session gives way to another's. */
const hear = (message: TabMessage): void => {
  const { caller } = session.get();
  if (message.kind === 'asks' && current !== null) tabs.tell({ kind: 'signed-in', token: current });
  // A token that is refused meanwhile leaves this tab as it is.
  if (message.kind === 'signed-in' && current === null) take(message.token).catch(() => undefined);
  if (message.kind === 'signed-out') forget();
  if (message.kind === 'ended' && current !== null && caller?.fingerprint === message.fingerprint) {
    ended.add(current);
    markEnded(signInAgain());
  }
};

const tabs = joinTabs(registryUrl, hear);

/** Ends the session, here and in other tabs with its token. What is on the screen stays. */
const endSession = (refusal: RequestError): void => {
  const fingerprint = session.get().caller?.fingerprint;
  markEnded(refusal);
  if (fingerprint) tabs.tell({ kind: 'ended', fingerprint });
};

/**
 * Takes a token that the registry accepts, for all open tabs of the console.
 * @throws {RequestError} with the registry's reason, where it does not
 */
export const signIn = async (token: string): Promise<void> => {
  if (!/^[!-~]+$/.test(token)) {
    const detail = 'This is no token: tokens are letters, digits and -._~';
    throw new RequestError({ code: 'invalid_token', detail });
  }
  await take(token);
  tabs.tell({ kind: 'signed-in', token });
};

/** Forgets the token, in all tabs. */
export const signOut = (): void => {
  forget();
  tabs.tell({ kind: 'signed-out' });
};

const findOut = async (): Promise<void> => {
  const token = attempt(() => sessionStorage.getItem(tokenKey));
  if (token !== null) {
    await take(token);
    // Tabs that asked before this one knew have no answer yet.
    tabs.tell({ kind: 'signed-in', token });
    return;
  }
  tabs.tell({ kind: 'asks' });
  const { authentication } = await nobody.api.showService();
  session.set((before) => ({ ...before, isAuthDisabled: authentication === 'disabled' }));
};

/** Finds out as whom the console asks; without an answer as nobody, who may read. */
export const restoreSession = async (): Promise<void> => {
  try {
    await findOut();
  } catch (error) {
    const refusal = toRequestError(error);
    if (refusal.status === null) noteConnectionLost();
    const isEnded = refusal.status === 401 || refusal.status === 403;
    if (isEnded) keepToken(null);
    session.set(() => ({ ...nobody, isEnded, refusal }));
  }
};

export const useSession = (): Session => useStore(session);

/** Whether something can be tried; the registry has the last word. */
export const hasScope = ({ caller, isAuthDisabled }: Session, scope: Scope): boolean =>
  isAuthDisabled || (caller?.scopes.includes(scope) ?? false);
