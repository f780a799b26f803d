import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import type { Caller } from '../../shared/api/schemas/caller.ts';
import type { Scope } from '../../shared/domain/tokens/scope.ts';
import { createConsoleClient, registryUrl } from '../api/client.ts';
import { noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { createStore, useStore } from '../state/store.ts';
import { joinTabs, type TabMessage } from './session-tabs.ts';

/** The current user, and the client that sends requests for them. */
export interface Session {
  readonly api: RegistryClient;
  /** Null if nobody is signed in, or it is not known yet. Stays after the end of the session, so that open forms stay. */
  readonly caller: Caller | null;
  /** True if the registry has no tokens, so that everyone may decide. */
  readonly isAuthDisabled: boolean;
  /** True if the registry refused the token after the sign-in. */
  readonly isEnded: boolean;
  /** Why the session ended, or why the sign-in could not be checked. */
  readonly refusal: RequestError | null;
}

const tokenKey = 'registry-token';

/** The token in use; null if nobody is signed in. */
let current: string | null = null;

/** The tokens that the registry refused after their sign-in. */
const ended = new Set<string>();

const signInAgain = (): RequestError =>
  new RequestError({
    ...{ status: 401, code: 'missing_token' },
    detail: 'Your session has ended. Sign in and try again.',
  });

/** Returns a client that sends one token, also after another sign-in: a decision is sent as the user who made it. */
const createClientFor = (token: string): RegistryClient =>
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

/** Returns the name of a caller for people: the label of the token, or the beginning of its SHA-256. Null without a token. */
export const describeCaller = (caller: Caller | null): string | null => {
  if (caller === null) return null;
  const { label, fingerprint } = caller;
  return label ?? (fingerprint === null ? null : `token ${fingerprint}`);
};

/** Runs an action on the browser's storage. Returns null if the browser blocks storage: the token is then lost with the page. */
const tryStorage = <T>(access: () => T): T | null => {
  try {
    return access();
  } catch {
    return null;
  }
};

/** Stores the token for this tab, also for a reload. Null removes it. */
const storeToken = (token: string | null): void => {
  current = token;
  tryStorage(() =>
    token === null ? sessionStorage.removeItem(tokenKey) : sessionStorage.setItem(tokenKey, token),
  );
};

/**
 * Signs in this tab with a token.
 * @throws {RequestError} if the registry refuses the token
 */
const signInTab = async (token: string): Promise<void> => {
  ended.delete(token);
  const api = createClientFor(token);
  const caller = await api.showCaller();
  storeToken(token);
  session.set(() => ({ ...nobody, api, caller }));
};

const signOutTab = (): void => {
  storeToken(null);
  session.set(() => nobody);
};

const markEnded = (refusal: RequestError): void => {
  storeToken(null);
  session.set((before) => ({ ...before, isEnded: true, refusal }));
};

/** Handles a message of another tab. A sign-in or sign-out applies to all tabs, but replaces no other user's session. */
const handleMessage = (message: TabMessage): void => {
  const { caller } = session.get();
  if (message.kind === 'asks' && current !== null) tabs.send({ kind: 'signed-in', token: current });
  // If the registry refuses the token, this tab stays as it is.
  if (message.kind === 'signed-in' && current === null)
    signInTab(message.token).catch(() => undefined);
  if (message.kind === 'signed-out') signOutTab();
  if (message.kind === 'ended' && current !== null && caller?.fingerprint === message.fingerprint) {
    ended.add(current);
    markEnded(signInAgain());
  }
};

const tabs = joinTabs(registryUrl, handleMessage);

/** Ends the session in all tabs with its token. The page stays as it is. */
const endSession = (refusal: RequestError): void => {
  const fingerprint = session.get().caller?.fingerprint;
  markEnded(refusal);
  if (fingerprint) tabs.send({ kind: 'ended', fingerprint });
};

/**
 * Signs in all open tabs of the console.
 * @throws {RequestError} if the registry refuses the token
 */
export const signIn = async (token: string): Promise<void> => {
  if (!/^[!-~]+$/.test(token)) {
    const detail = 'This is not a token. Tokens have letters, digits and -._~ only.';
    throw new RequestError({ code: 'invalid_token', detail });
  }
  await signInTab(token);
  tabs.send({ kind: 'signed-in', token });
};

/** Signs out all open tabs. */
export const signOut = (): void => {
  signOutTab();
  tabs.send({ kind: 'signed-out' });
};

const loadSession = async (): Promise<void> => {
  const token = tryStorage(() => sessionStorage.getItem(tokenKey));
  if (token !== null) {
    await signInTab(token);
    // Other tabs may have sent `asks` before this tab knew its user.
    tabs.send({ kind: 'signed-in', token });
    return;
  }
  tabs.send({ kind: 'asks' });
  const { authentication } = await nobody.api.showService();
  session.set((before) => ({ ...before, isAuthDisabled: authentication === 'disabled' }));
};

/** Restores the session of this tab or of other tabs. Without an answer, nobody is signed in. */
export const restoreSession = async (): Promise<void> => {
  try {
    await loadSession();
  } catch (error) {
    const refusal = toRequestError(error);
    if (refusal.status === null) noteConnectionLost();
    const isEnded = refusal.status === 401 || refusal.status === 403;
    if (isEnded) storeToken(null);
    session.set(() => ({ ...nobody, isEnded, refusal }));
  }
};

/** Returns the session. */
export const findSession = (): Session => session.get();

/** Returns the session, and renders again when it changes. */
export const useSession = (): Session => useStore(session);

/** Returns true if the token has a scope, as far as the console knows. The registry decides. */
export const hasScope = ({ caller, isAuthDisabled }: Session, scope: Scope): boolean =>
  isAuthDisabled || (caller?.scopes.includes(scope) ?? false);
