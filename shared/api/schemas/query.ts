import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Status } from './status.ts';

const defaultLimit = 100;
export const maxLimit = 1000;
/** How many versions a list shows with all that matters for a decision: as many as one batch reads. */
export const maxFullLimit = 100;
const maxSearchLength = 100;

/** How a whole number is written in a query. */
export const wholeNumber = /^[0-9]+$/;

const digits = (message: string) => z.string().regex(wholeNumber, { error: message });
const clamped = (max: number) => (text: string) => Math.min(Number(text), max);

const limitRule = `must be a whole number from 1 to ${maxLimit}`;
export const Limit = digits(limitRule)
  .transform(clamped(maxLimit))
  .pipe(z.int().min(1, { error: limitRule }).max(maxLimit))
  .default(defaultLimit)
  .describe('How many at most. More than the maximum is taken for the maximum.');
const Offset = digits('must be a whole number, 0 or more')
  .transform(clamped(Number.MAX_SAFE_INTEGER))
  .pipe(z.int().min(0))
  .default(0)
  .describe('How many to skip.');

/** API Gateway reads `+` in a query as a blank, and no version contains one. */
const Version = z
  .string()
  .describe('Only this version, in any spelling that its ecosystem takes for the same.')
  .transform((version) => version.replaceAll(' ', '+'));

const EcosystemFilter = Ecosystem.describe('Only packages of this ecosystem.');
const StatusFilter = Status.describe('Only versions of this status.');

/** Which version of a name is meant, where a write needs exactly one. */
export const VersionSelection = z.strictObject({
  ecosystem: EcosystemFilter.optional(),
  version: Version.optional(),
});
export type VersionSelection = z.infer<typeof VersionSelection>;

export const flagWords = ['true', 'false'] as const;

/** Yes or no, no where it is left out. */
const Flag = z
  .enum(flagWords, { error: 'must be true or false' })
  .prefault('false')
  .transform((word) => word === 'true');

/** What a report is uploaded to. */
export const UploadQuery = VersionSelection.extend({
  force: Flag.describe('Keep a report all the same that is plainly about something else.'),
});

/** Which versions of a name are meant. */
export const VersionFilter = VersionSelection.extend({ status: StatusFilter.optional() });
export type VersionFilter = z.infer<typeof VersionFilter>;

const scanNumberRule = 'must be a whole number from 1 to 99999999';

const ScanNumber = digits(scanNumberRule)
  .transform(Number)
  .pipe(z.int().min(1, { error: scanNumberRule }).max(99_999_999, { error: scanNumberRule }))
  .optional();

/** Which scan of a version is meant: the latest, or the one of a number. */
export const ScanSelection = VersionFilter.extend({
  number: ScanNumber.describe(
    "This scan of the version, and not the latest: a decision's evidence names it.",
  ),
});

/** Which scans are to count no more. */
export const ScanRetirementQuery = VersionSelection.extend({
  tool: z
    .string()
    .min(1, { error: 'is required' })
    .max(1200)
    .describe("The tool, as `tools` of the version's scans names it."),
  label: z
    .string()
    .max(255)
    .optional()
    .describe('The label of the token that they were sent with; left out: a token without one.'),
  number: ScanNumber.describe(
    'That of the newest of them, as `tools` says: where several are by the same tool and label.',
  ),
});

/** Which part of a list is wanted. */
export const limitAndOffset = { limit: Limit, offset: Offset };

export const VersionsQuery = VersionFilter.extend(limitAndOffset);
export type VersionsQuery = z.infer<typeof VersionsQuery>;

/** What is searched for; a blank term is no filter. */
export const Search = z
  .string()
  .max(maxSearchLength, { error: `must be at most ${maxSearchLength} characters` })
  .describe('What to look for, in any case; blank for everything.');

export const ListQuery = z.strictObject({
  search: Search.optional(),
  ecosystem: EcosystemFilter.optional(),
  status: StatusFilter.optional(),
  sort: z
    .enum(['submitted_at', '-submitted_at'], { error: 'must be submitted_at or -submitted_at' })
    .default('submitted_at')
    .describe('In the order of submission, or the newest first.'),
  view: z
    .enum(['full'], { error: 'must be full; leave it out for the short of each version' })
    .optional()
    .describe(
      `With all that a queue of reviews shows of a version; then at most ${maxFullLimit} a page, and an approval that expired is not listed as approved any more.`,
    ),
  ...limitAndOffset,
});
export type ListQuery = z.infer<typeof ListQuery>;

export const NoQuery = z.strictObject({});
