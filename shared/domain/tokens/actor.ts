import { type Scope, scopes } from './scope.ts';

/** Caller of a protected request. */
export interface Actor {
  /** Label of the token or of the account; null without one, or if authentication is off. */
  readonly label: string | null;
  /**
   * First 16 hexadecimal digits of a SHA-256: of the token, or of the issuer and the subject of an ID token, so that a renewed
   * token has the same. Null if authentication is off.
   */
  readonly fingerprint: string | null;
}

/** Caller with the scopes of its token. */
export interface Caller extends Actor {
  readonly scopes: readonly Scope[];
  /** Issuer of the caller's ID token; absent for a token of the list. */
  readonly issuer?: string;
  /** When the token expires; absent if it does not. */
  readonly expires?: Date;
}

export const anonymous: Actor = { label: null, fingerprint: null };

/** Caller while authentication is off: anonymous, with all scopes. */
export const anyone: Caller = { ...anonymous, scopes };
