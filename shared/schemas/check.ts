import * as z from 'zod';
import { objectionCodes } from '../domain/approval.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';

/** How many packages one request may ask about. */
export const maxChecked = 1000;
/** For how many of those that are not allowed the nearest approved version is looked up. */
export const maxNearest = 20;

const listRule = `must be a list of 1 to ${maxChecked}`;

/** Where a package version stands: as its review says, or not submitted at all. */
export const checkStatuses = ['approved', 'pending', 'rejected', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** What may be allowed besides what is approved. */
const allowable = ['approved', 'pending', 'unknown'] as const satisfies readonly CheckStatus[];

const PackageToCheck = z.union(
  [
    z.string().describe('A package URL with a version.'),
    z.strictObject({
      ecosystem: Ecosystem,
      name: z.string().describe('As its ecosystem writes names.'),
      version: z.string().describe('As its ecosystem writes versions.'),
    }),
  ],
  { error: 'must be a package URL, or an object of ecosystem, name and version' },
);

/** Which packages are asked about. */
export const CheckRequest = z
  .strictObject({
    packages: z
      .array(PackageToCheck, { error: listRule })
      .min(1, { error: listRule })
      .max(maxChecked, { error: listRule }),
    allow: z
      .array(z.enum(allowable, { error: `must be one of ${allowable.join(', ')}` }))
      .default(['approved'])
      .describe('What may be used. What is approved always may.'),
  })
  .describe(`1 to ${maxChecked} package versions, and what of them may be used.`);
export type CheckRequest = z.output<typeof CheckRequest>;

const reasonCodes = [
  'not_submitted',
  'not_a_version',
  'awaiting_review',
  'approval_expired',
  'rejected',
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

/** Whether some packages may be used. */
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
  })
  .describe('Whether some packages may be used, each by itself and all together.');
export type CheckAnswer = z.infer<typeof CheckAnswer>;
