import type { KeySet } from '../../api/schemas/attestation.ts';
import { findKeyId, type PublicJwk } from '../../domain/attestations/public-jwk.ts';
import { RegistryError } from '../../domain/errors.ts';
import { getPublicKey } from '../../platform/signing/signing-key.ts';
import { logEvent } from '../../util/log.ts';

/** Returns the public key. @throws {RegistryError} `keys_unavailable` if KMS does not return it */
const loadPublicKey = async (): Promise<PublicJwk> => {
  try {
    return await getPublicKey();
  } catch (error) {
    logEvent('error', 'public_key_not_read', { error });
    throw new RegistryError(
      'keys_unavailable',
      'The public key cannot be read from KMS at the moment. Try again shortly.',
      { headers: { 'Retry-After': '10' } },
    );
  }
};

/**
 * Returns the public key of signed decisions; no key if the registry does not sign.
 * @throws {RegistryError} `keys_unavailable` if KMS does not return it
 */
export const showKeys = async ({ isSigning }: { readonly isSigning: boolean }): Promise<KeySet> => {
  if (!isSigning) return { keys: [] };
  const key = await loadPublicKey();
  return { keys: [{ ...key, kid: findKeyId(key), use: 'sig', alg: 'ES256' }] };
};
