// The script of sign-ins by account. It loads on demand, because it has the OpenID Connect client. It imports nothing that the
// first view has: esbuild would move that into one more file, which the first view loads.
import type { RequestError } from '../../shared/api/client/request-error.ts';
import {
  beginSignIn,
  discoverProvider,
  finishSignIn,
  isGrantRefused,
  renewSignIn,
  revokeSignIn,
  type SignInProvider,
  type SignInTokens,
} from '../../shared/api/client/sign-in.ts';
import type { SignInSettings } from '../../shared/domain/identity/trusted-issuer.ts';
import { describeEnd, describeFailure, describeRefusal } from './account-errors.ts';
import type { AccountTokens, PendingAccount } from './account-tokens.ts';
import type { Renewal, User } from './user.ts';

/** What an account needs of the session. */
interface AccountEvents {
  /** Called with newer tokens: of this tab, or of another one. */
  readonly noteRenewed: (account: User, isOwn: boolean) => void;
  /** Called after the last renewal failed, with the reason. */
  readonly noteEnded: (account: User, reason: string) => void;
  /** Asks other tabs for their tokens. */
  readonly askTabs: () => void;
  /** Returns the error for a request without valid tokens. */
  readonly toError: (reason: string) => RequestError;
}

/** The key in the browser's storage for a sign-in at the provider, with its `state`. */
const toPendingKey = (state: string): string => `registry-sign-in ${state}`;

const longestMarginMs = 60_000;
const dayMs = 86_400_000;
/** How long a tab waits for the tokens that another tab renews. */
const otherTabMs = 4000;
/** How long a message between tabs takes at most, as a rule. */
const messageMs = 100;

const toAccountTokens = (
  tokens: SignInTokens,
  { issuer, client_id }: SignInSettings,
): AccountTokens => {
  // Half of a short lifetime, so that not each request renews the tokens.
  const marginMs = Math.min(longestMarginMs, (tokens.expiresAt - Date.now()) / 2);
  return { ...tokens, issuer, client_id, marginMs };
};

const providers = new Map<string, Promise<SignInProvider>>();

const findProvider = (settings: SignInSettings): Promise<SignInProvider> => {
  const known = providers.get(settings.issuer);
  if (known) return known;
  const loading = discoverProvider(settings);
  providers.set(settings.issuer, loading);
  loading.catch(() => providers.delete(settings.issuer));
  return loading;
};

/** Keeps what the answer of the provider is checked with, in place of earlier sign-ins of this tab. */
const storePending = (pending: PendingAccount): void => {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(toPendingKey(''))) sessionStorage.removeItem(key);
  }
  sessionStorage.setItem(toPendingKey(pending.state), JSON.stringify(pending));
};

/**
 * Leaves the page for the provider, which returns to `redirectUri`.
 * @throws {Error} with a message for people if the sign-in cannot begin
 */
export const beginAccountSignIn = async (
  settings: SignInSettings,
  redirectUri: string,
): Promise<void> => {
  if (!isSecureContext) {
    throw new Error(
      'A sign-in with an account needs a secure connection. Open the console by its https address.',
    );
  }
  try {
    const { url, pending } = await beginSignIn(await findProvider(settings), redirectUri);
    storePending({ ...pending, ...settings, hash: location.hash });
    location.assign(url);
  } catch (error) {
    throw new Error(describeFailure(error, settings.issuer), { cause: error });
  }
};

/**
 * Finishes a sign-in with the answer of the provider. `pending` is what the browser stored for the state of the answer.
 * @throws {Error} with a message for people if the provider refused, or if the answer belongs to no sign-in of this tab
 */
export const finishAccountSignIn = async (
  answer: URLSearchParams,
  pending: PendingAccount | null,
): Promise<AccountTokens> => {
  if (pending === null) {
    throw new Error('This sign-in did not begin in this window. Sign in again.');
  }
  const { issuer } = pending;
  if (answer.has('error')) throw new Error(describeRefusal(Object.fromEntries(answer), issuer));
  try {
    const tokens = await finishSignIn(await findProvider(pending), answer, pending);
    return toAccountTokens(tokens, pending);
  } catch (error) {
    throw new Error(describeFailure(error, issuer), { cause: error });
  }
};

/** Returns what identifies an account over renewals: its issuer and its subject. */
const toAccountKey = ({ issuer, idToken }: AccountTokens): string => {
  const [, payload = ''] = idToken.split('.');
  const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  return JSON.stringify([issuer, sub]);
};

/** The tokens of one account, and their renewal. */
class Account implements User {
  readonly key: string;
  private readonly events: AccountEvents;
  private tokens: AccountTokens;
  private credentials: { readonly idToken: string };
  private isKeptFresh = false;
  private isClosed = false;
  private renewing: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The failure of the last renewal, and when renewals began to fail. */
  private failure: { readonly error: unknown; readonly since: number } | undefined;
  /** Called when newer tokens arrive. */
  private waiting: (() => void)[] = [];

  constructor(key: string, tokens: AccountTokens, events: AccountEvents) {
    this.key = key;
    this.tokens = tokens;
    this.credentials = { idToken: tokens.idToken };
    this.events = events;
  }

  readonly current = () => this.credentials;

  readonly read = () => {
    const isLasting = this.tokens.refreshToken === null || this.isClosed;
    const isUsable = this.remainingMs() > (isLasting ? 0 : this.tokens.marginMs);
    // Without a delay if possible: a page that is being left sends its decisions at once.
    return isUsable ? this.credentials : this.readRenewed();
  };

  readonly toMessage = () => ({ kind: 'account', tokens: this.tokens }) as const;

  readonly renewal: Renewal = {
    isPossible: () => this.tokens.refreshToken !== null,
    start: () => {
      this.isKeptFresh = true;
      this.schedule();
    },
    stop: (revoke) => {
      this.isClosed = true;
      this.isKeptFresh = false;
      clearTimeout(this.timer);
      if (revoke) this.revoke(this.tokens);
    },
    take: (tokens) => {
      if (toAccountKey(tokens) !== this.key || tokens.expiresAt <= this.tokens.expiresAt) return;
      this.replace(tokens);
      this.events.noteRenewed(this, false);
    },
  };

  /** Opens the account again, with the tokens of another sign-in. */
  reopen(tokens: AccountTokens): void {
    if (!this.isClosed && tokens.expiresAt <= this.tokens.expiresAt) return;
    this.isClosed = false;
    this.replace(tokens);
  }

  private revoke({ refreshToken }: SignInTokens): void {
    if (refreshToken === null) return;
    findProvider(this.tokens)
      .then((provider) => revokeSignIn(provider, refreshToken))
      // Without the provider, the refresh token is gone from this browser.
      .catch(() => undefined);
  }

  private remainingMs(): number {
    return this.tokens.expiresAt - Date.now();
  }

  /** Returns how long before the expiry the timer acts. */
  private aheadMs(): number {
    return this.tokens.refreshToken === null ? 0 : 1.5 * this.tokens.marginMs;
  }

  private replace(tokens: AccountTokens): void {
    this.tokens = tokens;
    this.credentials = { idToken: tokens.idToken };
    this.failure = undefined;
    this.schedule();
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Wakes before requests would renew the tokens, so that no request waits. */
  private schedule(): void {
    if (this.isKeptFresh) this.wakeIn(this.remainingMs() - this.aheadMs());
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.wake, Math.min(Math.max(ms, 0), dayMs));
  }

  private readonly wake = (): void => {
    if (!this.isKeptFresh) return;
    if (this.remainingMs() > this.aheadMs()) this.schedule();
    else if (this.tokens.refreshToken === null) this.end(undefined);
    // Hidden pages send no requests. Another tab may renew the tokens meanwhile.
    else if (document.visibilityState === 'hidden') {
      document.addEventListener('visibilitychange', this.wake, { once: true });
    } else this.renew();
  };

  private end(error: unknown): void {
    this.failure = { error, since: Date.now() };
    this.renewal.stop(false);
    this.events.noteEnded(this, this.describeEnd());
  }

  private describeEnd(): string {
    return describeEnd(this.failure?.error, this.tokens.issuer);
  }

  private async readRenewed(): Promise<{ readonly idToken: string }> {
    if (this.tokens.refreshToken !== null && !this.isClosed) await this.renew();
    const isEnded = this.isClosed && this.failure !== undefined;
    if (this.remainingMs() > 0 && !isEnded) return this.credentials;
    throw this.events.toError(this.describeEnd());
  }

  /** Renews the tokens, once at a time. A failure is noted, and another attempt follows while that can help. */
  private renew(): Promise<void> {
    this.renewing ??= this.renewInOneTab()
      .catch((error: unknown) => this.noteFailure(error))
      .finally(() => {
        this.renewing = undefined;
      });
    return this.renewing;
  }

  /** Renews the tokens in one tab at a time, because providers accept a refresh token only once. */
  private async renewInOneTab(): Promise<void> {
    const name = `registry-renewal ${this.key}`;
    const isMine = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await this.renewHere();
      return lock !== null;
    });
    if (isMine) return;
    await this.waitForTabs(otherTabMs);
    this.schedule();
  }

  private async renewHere(): Promise<void> {
    const { tokens } = this;
    // Another tab may have renewed them just now: its message comes after its lock.
    await this.waitForTabs(messageMs);
    if (this.tokens !== tokens) return;
    try {
      const renewed = await renewSignIn(await findProvider(tokens), tokens.refreshToken ?? '');
      this.takeRenewed(toAccountTokens(renewed, tokens));
    } catch (error) {
      if (!isGrantRefused(error)) throw error;
      this.events.askTabs();
      await this.waitForTabs(otherTabMs / 4);
      // With newer tokens, another tab has used the refresh token of this one.
      if (this.tokens === tokens && !this.isClosed) this.end(error);
    }
  }

  private takeRenewed(tokens: AccountTokens): void {
    if (toAccountKey(tokens) !== this.key) throw new Error('It has the tokens of another account');
    if (this.isClosed) {
      // Somebody signed out meanwhile.
      this.revoke(tokens);
      return;
    }
    this.replace(tokens);
    this.events.noteRenewed(this, true);
  }

  /** Waits until another tab sends newer tokens, or until the time has passed. */
  private waitForTabs(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, ms);
    });
  }

  private noteFailure(error: unknown): void {
    const { marginMs } = this.tokens;
    this.failure = { error, since: this.failure?.since ?? Date.now() };
    const failingMs = Date.now() - this.failure.since;
    if (!this.isKeptFresh) return;
    // After a sleep of the machine, the network returns later than the page.
    if (this.remainingMs() <= 0 && failingMs >= marginMs) this.end(error);
    else this.wakeIn(marginMs / 6);
  }
}

const accounts = new Map<string, Account>();

/** Returns the account with these tokens. A second sign-in with an account continues its earlier requests. */
export const openAccount = (tokens: AccountTokens, events: AccountEvents): User => {
  const key = toAccountKey(tokens);
  const known = accounts.get(key);
  known?.reopen(tokens);
  const account = known ?? new Account(key, tokens, events);
  accounts.set(key, account);
  return account;
};
