import type { Credentials } from '../../shared/api/client/credentials.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { TabMessage } from './session-tabs.ts';

/** A user with the credentials of one sign-in: a token, or an account of the company. */
export interface User {
  /** Identifies the credentials over renewals. */
  readonly key: string;
  /** Returns the newest credentials. */
  readonly current: () => Credentials;
  /** Returns the credentials for a request. Renews them first if they expire soon. */
  readonly read: () => Credentials | Promise<Credentials>;
  /** Returns the message that signs in other tabs, with the credentials. */
  readonly toMessage: () => Extract<TabMessage, { kind: 'signed-in' | 'account' }>;
  /** The renewal of an account; absent for a token, which never changes. */
  readonly renewal?: Renewal;
}

/** The renewal of the tokens of an account. */
export interface Renewal {
  /** Returns true if the provider gave a refresh token. */
  readonly isPossible: () => boolean;
  /** Starts to renew the tokens before they expire. */
  readonly start: () => void;
  /** Stops. With `revoke`, the provider revokes the refresh token. */
  readonly stop: (revoke: boolean) => void;
  /** Takes the tokens of another tab if they are newer tokens of this account. */
  readonly take: (tokens: AccountTokens) => void;
}
