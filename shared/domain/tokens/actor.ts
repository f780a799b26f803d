import { type Scope, scopes } from './scope.ts';

/** Who makes a protected request. `fingerprint` tells tokens apart without revealing them. */
export interface Actor {
  /** The label that ops gave the token; null without one, or when authentication is off. */
  readonly label: string | null;
  /** The first 16 hexadecimal digits of the token's SHA-256; null when authentication is off. */
  readonly fingerprint: string | null;
}

/** An actor, and what the token that was presented is for. */
export interface Caller extends Actor {
  readonly scopes: readonly Scope[];
}

export const anonymous: Actor = { label: null, fingerprint: null };

/** Who makes a request while authentication is off: anyone, and for everything. */
export const anyone: Caller = { ...anonymous, scopes };
