import { type Scope, scopes } from './scope.ts';

/** Caller of a protected request. `fingerprint` identifies the token without revealing it. */
export interface Actor {
  /** Label of the token; null without one, or if authentication is off. */
  readonly label: string | null;
  /** First 16 hexadecimal digits of the token's SHA-256; null if authentication is off. */
  readonly fingerprint: string | null;
}

/** Caller with the scopes of its token. */
export interface Caller extends Actor {
  readonly scopes: readonly Scope[];
}

export const anonymous: Actor = { label: null, fingerprint: null };

/** Caller while authentication is off: anonymous, with all scopes. */
export const anyone: Caller = { ...anonymous, scopes };
