import * as z from 'zod';
import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { parseFileHash } from '../../domain/packages/file-hash.ts';
import type { CheckStatus } from './check.ts';
import { Ecosystem } from './ecosystem.ts';

/** Maximum number of hashes of one version: enough for all its files, and more than a check compares. */
const maxHashes = 500;
const listRule = `must be a list of 1 to ${maxChecked}`;

/** Statuses that a request can list in `allow`. The status `approved` is always allowed. */
const allowable = ['approved', 'pending', 'unknown'] as const satisfies readonly CheckStatus[];

const hashRule = 'must be a hash such as sha512-BASE64 or sha256:HEX';
const hashesRule = `must be a list of at most ${maxHashes} hashes`;

/** Hashes of the files of one version. */
export const Hashes = z
  .array(
    z
      .string({ error: hashRule })
      .max(160, { error: hashRule })
      .refine((text) => parseFileHash(text) !== undefined, { error: hashRule }),
    { error: hashesRule },
  )
  .max(maxHashes, { error: hashesRule })
  .describe(
    'Hashes of its files, as a lockfile has them: `sha512-BASE64` (SRI), or `ALGORITHM:HEX` with md5, sha1, sha224, sha256, sha384 or sha512. Each one must belong to a reviewed file.',
  );

const PackageToCheck = z.union(
  [
    z.string().describe('A package URL (purl) with a version.'),
    z
      .strictObject({
        ecosystem: Ecosystem,
        name: z.string().describe('The package name, as in its ecosystem.'),
        version: z.string().describe('The version, as in its ecosystem.'),
        hashes: Hashes.optional(),
      })
      .meta({ title: 'PackageToCheck' }),
  ],
  { error: 'must be a package URL, or an object of ecosystem, name and version' },
);

const hasHashes = (one: z.output<typeof PackageToCheck>): boolean =>
  typeof one !== 'string' && one.hashes !== undefined && one.hashes.length > 0;

/** Request to check package versions. */
export const CheckRequest = z
  .strictObject({
    packages: z
      .array(PackageToCheck, { error: listRule })
      .min(1, { error: listRule })
      .max(maxChecked, { error: listRule })
      .refine((packages) => packages.filter(hasHashes).length <= maxWithHashes, {
        error: `must have hashes at no more than ${maxWithHashes}`,
      }),
    allow: z
      .array(z.enum(allowable, { error: `must be one of ${allowable.join(', ')}` }))
      .default(['approved'])
      .describe('Which statuses are allowed. `approved` is always allowed.'),
  })
  .describe(
    `1 to ${maxChecked} package versions to check, at most ${maxWithHashes} of them with hashes.`,
  );
export type CheckRequest = z.output<typeof CheckRequest>;
