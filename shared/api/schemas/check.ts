import * as z from 'zod';
import { maxNearest } from '../../domain/packages/check-limits.ts';
import { issueCodes } from '../../domain/review/approval.ts';
import { byEcosystem, fileEcosystems } from '../../ecosystems/ecosystem.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { reviewProgress } from './review.ts';

/** Statuses of a checked version: those of a review, and `unknown` for a version that was never submitted. */
export const checkStatuses = ['approved', 'pending', 'rejected', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

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
        'Result of the comparison of the sent hashes with the reviewed files. `other` is never allowed. `unknown` means that there are no digests to compare with. Absent without a comparison.',
      ),
    pinned_digest: z
      .string()
      .optional()
      .describe(
        'The digest that the approval of a tag pinned, if the request has none or another.',
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
