import * as z from 'zod';
import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { parseFileHash } from '../../domain/packages/file-hash.ts';
import { objectionCodes } from '../../domain/review/approval.ts';
import { byEcosystem, fileEcosystems } from '../../ecosystems/ecosystem.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';

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
    'Hashes of its files as a lockfile has them: `sha512-BASE64` (SRI), or `sha256:HEX` of md5, sha1, sha224, sha256, sha384 or sha512. Each has to be of a file that was reviewed.',
  );

const PackageToCheck = z.union(
  [
    z.string().describe('A package URL with a version.'),
    z.strictObject({
      ecosystem: Ecosystem,
      name: z.string().describe('As its ecosystem writes names.'),
      version: z.string().describe('As its ecosystem writes versions.'),
      hashes: Hashes.optional(),
    }),
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
      .describe('What may be used. What is approved always may.'),
  })
  .describe(
    `1 to ${maxChecked} package versions, up to ${maxWithHashes} of them with hashes, and what of them may be used.`,
  );
export type CheckRequest = z.output<typeof CheckRequest>;

const reasonCodes = [
  'not_submitted',
  'not_a_version',
  'awaiting_review',
  'approval_expired',
  'rejected',
  'other_content',
  'other_source',
  'unpinned',
  ...objectionCodes,
] as const;

const CheckReason = z
  .strictObject({ code: z.enum(reasonCodes), message: z.string() })
  .describe('Why it stands where it does, or what is known against it.');
export type CheckReason = z.infer<typeof CheckReason>;

export const CheckedPackage = z
  .strictObject({
    ecosystem: Ecosystem.nullable(),
    name: z.string().nullable(),
    version: z.string().nullable(),
    status: z.enum(checkStatuses).describe('`unknown`: nobody ever submitted it.'),
    allowed: z.boolean(),
    expires_at: Timestamp.nullable().describe('Until when its approval holds; null: for ever.'),
    reasons: z.array(CheckReason),
    content: z
      .enum(['same', 'other', 'unknown'])
      .optional()
      .describe(
        'Whether the hashes that were sent are those of the files that were reviewed; `unknown`: nothing is known to compare them with. Not there where none were sent. What is `other` is never allowed.',
      ),
    nearest_approved: z
      .string()
      .nullable()
      .optional()
      .describe(
        `The approved version that is the least step away, or null; said of ${maxNearest} packages that are not allowed, what is rejected before what is pending or unknown.`,
      ),
  })
  .describe(
    'What is known of one package version. Ecosystem, name and version are null where a package URL names no version that can be.',
  );
export type CheckedPackage = z.infer<typeof CheckedPackage>;

const SourceHosts = z.strictObject({
  index_hosts: z.array(z.string()).describe('Hosts of the index.'),
  file_hosts: z
    .array(z.string())
    .nullable()
    .describe(
      'Hosts of files; null where none is known. PyPI has its files at another host than its own: that is known once hashes of a version were sent whose files it names.',
    ),
});

/** Result of a check: whether the packages may be used, for each one and for all. */
export const CheckAnswer = z
  .strictObject({
    allowed: z.boolean().describe('Whether all of them may be used.'),
    counts: z.strictObject({
      approved: z.int(),
      pending: z.int(),
      rejected: z.int(),
      unknown: z.int(),
    }),
    packages: z.array(CheckedPackage).describe('In the order of the request.'),
    origins: z
      .strictObject(byEcosystem(fileEcosystems, () => SourceHosts))
      .describe('The hosts that packages of the origins come from, with their ports.'),
  })
  .describe('Whether some packages may be used, each by itself and all together.');
export type CheckAnswer = z.infer<typeof CheckAnswer>;
