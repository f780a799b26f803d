import * as z from 'zod';
import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { parseFileHash } from '../../domain/packages/file-hash.ts';
import { issueCodes } from '../../domain/review/approval.ts';
import { byEcosystem, fileEcosystems } from '../../ecosystems/ecosystem.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { reviewProgress } from './review.ts';

/** Maximum number of hashes of one version: enough for all its files, and more than a check compares. */
const maxHashes = 500;
/** Maximum number of refused packages for which a check finds the nearest approved version. */
export const maxNearest = 20;

const listRule = `must be a list of 1 to ${maxChecked}`;

/** Statuses of a checked version: those of a review, and `unknown` for a version that was never submitted. */
export const checkStatuses = ['approved', 'pending', 'rejected', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

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

const reasonCodes = [
  'not_submitted',
  'own_package',
  'not_a_version',
  'awaiting_review',
  'approval_expired',
  'rejected',
  'frozen',
  'other_content',
  'other_source',
  'unpinned',
  ...issueCodes,
] as const;

const CheckReason = z
  .strictObject({ code: z.enum(reasonCodes), message: z.string() })
  .describe('Why the version is not approved, or which issues it has.');
export type CheckReason = z.infer<typeof CheckReason>;

export const CheckedPackage = z
  .strictObject({
    ecosystem: Ecosystem.nullable(),
    name: z.string().nullable(),
    version: z.string().nullable(),
    status: z
      .enum(checkStatuses)
      .describe('The status of the version. `unknown` means that it is not in the registry.'),
    allowed: z.boolean(),
    expires_at: Timestamp.nullable().describe(
      'When its approval expires. Null if it never expires.',
    ),
    reasons: z.array(CheckReason),
    ...reviewProgress,
    content: z
      .enum(['same', 'other', 'unknown'])
      .optional()
      .describe(
        'Result of the comparison of the sent hashes with the reviewed files. `other` is never allowed. `unknown` means that there are no digests to compare with. Absent if no hashes were sent.',
      ),
    nearest_approved: z
      .string()
      .nullable()
      .optional()
      .describe(
        `The nearest approved version, or null. At most ${maxNearest} packages that are not allowed have one: rejected ones first, then pending and unknown ones.`,
      ),
  })
  .describe(
    'The result of one package version. `ecosystem`, `name` and `version` are null if a package URL names no valid version.',
  );
export type CheckedPackage = z.infer<typeof CheckedPackage>;

const SourceHosts = z.strictObject({
  index_hosts: z.array(z.string()).describe('Hosts of the package index.'),
  file_hosts: z
    .array(z.string())
    .nullable()
    .describe(
      'Hosts of the files, or null if they are unknown. PyPI has a separate host for files, which is known after a check with hashes.',
    ),
});

/** Result of a check: whether the packages may be used, for each one and for all. */
export const CheckAnswer = z
  .strictObject({
    allowed: z.boolean().describe('True if every version is allowed.'),
    counts: z.strictObject({
      approved: z.int(),
      pending: z.int(),
      rejected: z.int(),
      unknown: z.int(),
    }),
    packages: z
      .array(CheckedPackage)
      .describe('One result for each version, in the order of the request.'),
    origins: z
      .strictObject(byEcosystem(fileEcosystems, () => SourceHosts))
      .describe("The hosts of the origins' packages, with ports."),
  })
  .describe('The results of a check, for each version and for all together.');
export type CheckAnswer = z.infer<typeof CheckAnswer>;
