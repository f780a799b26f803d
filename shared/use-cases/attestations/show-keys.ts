import type { KeySet } from '../../api/schemas/attestation.ts';
import { findKeyId } from '../../domain/attestations/public-jwk.ts';
import { getPublicKey } from '../../platform/signing/signing-key.ts';

/** Returns the public key of signed decisions; no key if the registry does not sign. */
export const showKeys = async ({ isSigning }: { readonly isSigning: boolean }): Promise<KeySet> => {
  if (!isSigning) return { keys: [] };
  const key = await getPublicKey();
  return { keys: [{ ...key, kid: findKeyId(key), use: 'sig', alg: 'ES256' }] };
};
