/** Who makes a protected request. `fingerprint` tells tokens apart without revealing them. */
export interface Actor {
  /** The label that ops gave the token; null without one, or when authentication is off. */
  readonly label: string | null;
  /** The first 16 hexadecimal digits of the token's SHA-256; null when authentication is off. */
  readonly fingerprint: string | null;
}

export const anonymous: Actor = { label: null, fingerprint: null };
