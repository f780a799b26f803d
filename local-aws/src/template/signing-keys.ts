/** Reads KMS keys for signatures. Other keys only encrypt data at rest, and functions behave the same without them. */
import * as z from 'zod';
import type { SigningKey } from './model.ts';
import { keyArn } from './names.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

const keySchema = z.object({
  KeySpec: z.string().default('SYMMETRIC_DEFAULT'),
  KeyUsage: z.string().default('ENCRYPT_DECRYPT'),
});

/** @throws {UnsupportedResourceError} for a signing key with another algorithm than ECDSA on the curve P-256 */
export const readSigningKeys = (reader: Reader): readonly SigningKey[] =>
  reader.ofType('AWS::KMS::Key').flatMap((resource) => {
    const { KeySpec, KeyUsage } = reader.read(resource, keySchema);
    if (KeyUsage !== 'SIGN_VERIFY') return [];
    if (KeySpec !== 'ECC_NIST_P256') {
      throw new UnsupportedResourceError(resource, `the key spec ${KeySpec} is not emulated`);
    }
    return [{ id: resource.id, arn: keyArn(resource.id) }];
  });
