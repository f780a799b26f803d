import * as z from 'zod';
import { PublicKey } from '../../../shared/api/schemas/attestation.ts';
import type { PublicJwk } from '../../../shared/domain/attestations/public-jwk.ts';
import { readJsonInput } from '../../input/files.ts';
import { UsageError } from '../../input/usage-error.ts';

/** Saved answer of `GET /keys`. A reader ignores unknown members (RFC 7517), such as `key_ops`. */
const TrustedKeys = z.looseObject({ keys: z.array(PublicKey.loose()).min(1) });

const advice = 'Save them with registry keys --json.';

/**
 * Reads the public keys that the user trusts.
 * @throws {UsageError} without a file, and for one without keys or with a wrong field
 */
export const readTrustedKeys = async (file: string | undefined): Promise<readonly PublicJwk[]> => {
  if (file === undefined) {
    throw new UsageError(
      'Name the public keys that you trust: --keys keys.json. Save them once, with registry keys --json > keys.json.',
    );
  }
  const { data, error } = TrustedKeys.safeParse(await readJsonInput(file));
  if (data) return data.keys;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  // An issue about the list itself means that there are no keys.
  if (!field.includes('.')) throw new UsageError(`${file} has no public keys. ${advice}`);
  throw new UsageError(`${file} has a wrong key: ${field}: ${issue?.message}. ${advice}`);
};
