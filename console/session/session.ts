import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import type { Caller } from '../../shared/api/schemas/caller.ts';
import type { ServiceInfo } from '../../shared/api/schemas/service.ts';
import type { Scope } from '../../shared/domain/tokens/scope.ts';
import { createConsoleClient, registryUrl } from '../api/client.ts';
import { noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { announce } from '../state/announcements.ts';
import { createStore, useStore } from '../state/store.ts';
import type { AccountTokens, PendingAccount } from './account-tokens.ts';
import { joinTabs, type TabMessage } from './session-tabs.ts';
import type { User } from './user.ts';

/** The current user, and the client that sends requests for them. */
export interface Session {
  readonly api: RegistryClient;
  /** Null if nobody is signed in, or it is not known yet. Stays after the end of the session, so that open forms stay. */
  readonly caller: Caller | null;
  /** True if the registry has no tokens, so that everyone may decide. */
  readonly isAuthDisabled: boolean;
  /** How people sign in with an account of their company; null if they cannot, undefined while it is unknown. */
  readonly signIn: ServiceInfo['sign_in'] | undefined;
  /** True if the registry refused the token after the sign-in, or if the sign-in by account could not be renewed. */
  readonly isEnded: boolean;
  /** Why the session ended, or why the sign-in could not be checked. */
  readonly refusal: RequestError | null;
}

/** The keys of the browser's storage for the credentials of this tab, by their kind. */
const tokenKey = 'registry-token';
const accountKey = `registry-account ${registryUrl}`;

type Accounts = typeof import('./accounts.ts');

let importAccounts: () => Promise<Accounts>;

/** Sets how the script of accounts is imported. `main.tsx` calls it: an import here would add a file to the first view. */
export const setAccountsImport = (load: () => Promise<Accounts>): void => {
  importAccounts = load;
};

/** Loads the script of accounts, which most sessions do not need. */
export const loadAccounts = (): Promise<Accounts> => importAccounts();

/** The user of this tab; null if nobody is signed in. */
let current: User | null = null;

/** The keys of the users whose credentials were refused after their sign-in. */
const ended = new Set<string>();

const toSessionEnd = (detail = 'Your session has ended. Sign in and try again.'): RequestError =>
  new RequestError({ status: 401, code: 'missing_token', detail });

/** Returns the user with a token. */
const toTokenUser = (token: string): User => {
  const read = (): { readonly token: string } => credentials;
  const credentials = { token };
  return { key: token, current: read, read, toMessage: () => ({ kind: 'signed-in', token }) };
};

/** Returns a client of one user, also after another sign-in: a decision is sent as the user who made it. */
const createClientFor = (user: User): RegistryClient =>
  createConsoleClient({
    readCredentials: () => {
      if (ended.has(user.key)) throw toSessionEnd();
      return user.read();
    },
    noteRefused: (refused, refusal) => {
      // A request with earlier credentials can end after their renewal.
      if (refused !== user.current()) return;
      ended.add(user.key);
      if (user === current) endSession(refusal);
    },
  });

/** The session without a user. It keeps how people sign in. */
let nobody: Session = {
  ...{ api: createConsoleClient(), caller: null, refusal: null },
  ...{ isAuthDisabled: false, isEnded: false, signIn: undefined },
};

const session = createStore<Session>(nobody);

/** Why the sign-in at the provider failed from which this page came; null if it did not. */
export const signInError = createStore<string | null>(null);

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

/** Stores the credentials of a user for this tab, also for a reload. Null removes them. */
const storeUser = (user: User | null): void => {
  tryStorage(() => {
    sessionStorage.removeItem(tokenKey);
    sessionStorage.removeItem(accountKey);
    const message = user?.toMessage();
    if (message?.kind === 'signed-in') sessionStorage.setItem(tokenKey, message.token);
    if (message?.kind === 'account')
      sessionStorage.setItem(accountKey, JSON.stringify(message.tokens));
  });
};

/** Removes the user of this tab. With `revoke`, the provider revokes the refresh token of an account. */
const removeUser = (revoke = false): void => {
  current?.renewal?.stop(revoke);
  current = null;
  storeUser(null);
};

/** The number of sign-outs of this tab so far. */
let signOuts = 0;

/**
 * Signs in this tab.
 * @throws {RequestError} if the registry refuses the credentials
 */
const signInTab = async (user: User): Promise<void> => {
  ended.delete(user.key);
  const api = createClientFor(user);
  takeUser(user, api, await api.showCaller());
};

/** Signs in this tab with credentials that it or another tab has, unless somebody signs in or out meanwhile. */
const resumeSession = async (user: User): Promise<void> => {
  const before = signOuts;
  ended.delete(user.key);
  const api = createClientFor(user);
  const caller = await api.showCaller();
  if (current === null && signOuts === before) takeUser(user, api, caller);
};

const takeUser = (user: User, api: RegistryClient, caller: Caller): void => {
  current = user;
  storeUser(user);
  user.renewal?.start();
  session.set(() => ({ ...nobody, api, caller }));
};

const signOutTab = (): void => {
  signOuts += 1;
  removeUser(true);
  session.set(() => nobody);
};

const markEnded = (refusal: RequestError): void => {
  removeUser();
  session.set((before) => ({ ...before, isEnded: true, refusal }));
};

/** Stores renewed credentials, and shows their expiry and permissions. */
const noteRenewed = (user: User, isOwn: boolean): void => {
  // While a reloaded page restores its session, nobody is signed in yet.
  if (current !== null && current !== user) return;
  storeUser(user);
  if (isOwn) tabs.send(user.toMessage());
  if (current === null) return;
  const show = (caller: Caller): void => {
    if (user === current) session.set((before) => ({ ...before, caller }));
  };
  session
    .get()
    .api.showCaller()
    .then(show, () => undefined);
};

const noteEnded = ({ key }: User, reason: string): void => {
  ended.add(key);
  if (key === current?.key) markEnded(toSessionEnd(reason));
};

/** Returns the user with an account. */
const openAccount = async (
  load: (accounts: Accounts) => AccountTokens | Promise<AccountTokens>,
) => {
  const accounts = await loadAccounts();
  return accounts.openAccount(await load(accounts), {
    ...{ noteRenewed, noteEnded, toError: toSessionEnd },
    askTabs: () => tabs.send({ kind: 'asks' }),
  });
};

/** Handles a message of another tab. A sign-in or sign-out applies to all tabs, but replaces no other user's session. */
const handleMessage = (message: TabMessage): void => {
  const { caller } = session.get();
  if (message.kind === 'asks' && current !== null) tabs.send(current.toMessage());
  // If the registry refuses the credentials, this tab stays as it is.
  if (message.kind === 'signed-in' && current === null)
    resumeSession(toTokenUser(message.token)).catch(() => undefined);
  if (message.kind === 'account') {
    if (current === null)
      openAccount(() => message.tokens)
        .then(resumeSession)
        .catch(() => undefined);
    else current.renewal?.take(message.tokens);
  }
  if (message.kind === 'signed-out') signOutTab();
  if (message.kind === 'ended' && current !== null && caller?.fingerprint === message.fingerprint) {
    ended.add(current.key);
    markEnded(toSessionEnd());
  }
};

const tabs = joinTabs(registryUrl, handleMessage);

/** Ends the session in all tabs with its user. The page stays as it is. */
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
  const user = toTokenUser(token);
  await signInTab(user);
  tabs.send(user.toMessage());
};

/** Signs out all open tabs. */
export const signOut = (): void => {
  signOutTab();
  tabs.send({ kind: 'signed-out' });
};

/** Returns the user whose credentials this tab has stored; null if there is none. */
const findStoredUser = async (): Promise<User | null> => {
  const [token, account] =
    tryStorage(() => [tokenKey, accountKey].map((key) => sessionStorage.getItem(key))) ?? [];
  if (token) return toTokenUser(token);
  return account ? openAccount(() => JSON.parse(account)) : null;
};

/**
 * Signs in with the answer of the provider, if the page was opened with one. The answer leaves the address first, and the
 * view opens from which the sign-in began.
 */
const finishSignIn = async (): Promise<void> => {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('code') && !answer.has('error')) return;
  const key = `registry-sign-in ${answer.get('state')}`;
  const pending: PendingAccount | null = JSON.parse(
    tryStorage(() => sessionStorage.getItem(key)) ?? 'null',
  );
  history.replaceState(null, '', location.pathname + (pending ?? location).hash);
  tryStorage(() => sessionStorage.removeItem(key));
  announce('Signing in …');
  try {
    await signInTab(await openAccount((accounts) => accounts.finishAccountSignIn(answer, pending)));
    announce('You are signed in');
  } catch (error) {
    announce('');
    signInError.set(() => (error as Error).message);
  }
};

/** Loads how people sign in. */
export const loadSignIn = async (): Promise<void> => {
  const { authentication, sign_in } = await nobody.api.showService();
  const known = { isAuthDisabled: authentication === 'disabled', signIn: sign_in };
  nobody = { ...nobody, ...known };
  session.set((before) => ({ ...before, ...known }));
};

const loadSession = async (): Promise<void> => {
  await finishSignIn();
  const stored = current === null ? await findStoredUser() : null;
  if (stored !== null) await resumeSession(stored);
  if (current !== null) {
    // Other tabs may have sent `asks` before this tab knew its user.
    tabs.send(current.toMessage());
    return;
  }
  if (stored === null) tabs.send({ kind: 'asks' });
  await loadSignIn();
};

/** Restores the session of this tab or of other tabs. Without an answer, nobody is signed in. */
export const restoreSession = async (): Promise<void> => {
  try {
    await loadSession();
  } catch (error) {
    const refusal = toRequestError(error);
    if (refusal.status === null) noteConnectionLost();
    const isEnded = refusal.status === 401 || refusal.status === 403;
    if (isEnded) storeUser(null);
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

/** Returns true if the console renews the sign-in of this tab before it expires. */
export const isRenewed = (): boolean => current?.renewal?.isPossible() ?? false;

/** Returns what scopes permit, in words: `may submit and review`. */
export const describePermissions = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? 'may read' : `may ${scopes.join(' and ')}`;
