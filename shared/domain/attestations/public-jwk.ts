import { createHash, createPublicKey } from 'node:crypto';

/** Public key for ECDSA on the curve P-256, as a JSON Web Key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  /** Coordinates in base64url. */
  readonly x: string;
  readonly y: string;
}

/** Returns the id of a key: its thumbprint (RFC 7638), which anybody can compute from the key. */
export const findKeyId = ({ crv, kty, x, y }: PublicJwk): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');

/**
 * Returns the public key in DER (SubjectPublicKeyInfo), as KMS answers it.
 * @throws {Error} for other bytes, and for a key on another curve
 */
export const readPublicKey = (der: Uint8Array): PublicJwk => {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  const { kty, crv, x = '', y = '' } = key.export({ format: 'jwk' });
  if (kty !== 'EC' || crv !== 'P-256') throw new Error(`The key is on no curve P-256: ${crv}`);
  return { kty, crv, x, y };
};
