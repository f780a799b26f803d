import { createHash } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { readSigningKeyArn } from '../../api/settings/env.ts';
import { type PublicJwk, readPublicKey } from '../../domain/attestations/public-jwk.ts';

/** Client of KMS, one for each function instance, so that connections are reused. */
export const kms = new KMSClient({
  maxAttempts: 3,
  retryMode: 'standard',
  // Without `throwOnRequestTimeout`, the SDK only warns about a slow request and continues to wait.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
});

/** Time limit for all attempts of a call, to the last byte, in milliseconds. */
const timeoutMs = 7000;

/** Returns the signature of bytes in DER: ECDSA with SHA-256. KMS gets their digest, because it takes at most 4 KB. */
export const signBytes = async (bytes: Buffer): Promise<Uint8Array> => {
  const command = new SignCommand({
    KeyId: readSigningKeyArn(),
    Message: createHash('sha256').update(bytes).digest(),
    MessageType: 'DIGEST',
    SigningAlgorithm: 'ECDSA_SHA_256',
  });
  const { Signature } = await kms.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
  if (Signature === undefined) throw new Error('KMS answered without a signature');
  return Signature;
};

const requestPublicKey = async (): Promise<PublicJwk> => {
  const command = new GetPublicKeyCommand({ KeyId: readSigningKeyArn() });
  const { PublicKey } = await kms.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
  if (PublicKey === undefined) throw new Error('KMS answered without a public key');
  return readPublicKey(PublicKey);
};

let known: Promise<PublicJwk> | undefined;

/**
 * Returns the public key. A function instance requests it once: the public key of a KMS key never changes, and many
 * requests would use up the quota for signatures.
 */
export const getPublicKey = (): Promise<PublicJwk> => {
  known ??= requestPublicKey().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
};
