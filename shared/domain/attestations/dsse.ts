import { preAuthEncoding } from '@sigstore/core/dist/dsse.js';

/** Media type of in-toto statements in an envelope. */
export const statementMediaType = 'application/vnd.in-toto+json';

/** Signed statement in the Dead Simple Signing Envelope (DSSE 1.0.2), as JSON. */
export interface Envelope {
  readonly payloadType: typeof statementMediaType;
  /** Base64. */
  readonly payload: string;
  /** Signatures in base64, each with the id of its key. */
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** Returns the bytes that a signature of an envelope covers: the payload and its type (DSSE's pre-authentication encoding). */
export const encodeForSignature = (payloadType: string, payload: Buffer): Buffer =>
  preAuthEncoding(payloadType, payload);
