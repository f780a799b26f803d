import * as z from 'zod';
import { statedStatuses } from '../../domain/licenses/license-status.ts';
import { issueCodes } from '../../domain/review/approval.ts';
import { submissionCauses } from '../../domain/review/automatic-submission.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import {
  isInRanks,
  listMarks,
  type ReviewOrder,
  reviewOrders,
  stripMark,
  versionsCursor,
} from '../../domain/review/review-order.ts';
import { statuses } from '../../domain/review/status.ts';
import { type Severity, severities } from '../../domain/vulnerabilities/severity.ts';
import { oneOf } from './one-of.ts';
import { digits, Limit } from './query.ts';
import { BatchName } from './submission.ts';
import { Identity } from './text.ts';
import { placeAfterTime } from './time.ts';
import { EcosystemFilter } from './version-query.ts';

const maxWaitingDays = 3650;

/** Maximum length of a package name in any ecosystem, in characters. */
const maxNameLength = 512;

const count = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return digits(error)
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
};

const place = placeAfterTime('#');

/** True for a cursor of any order: a time and a version key behind a rank, or the sequence number of a submission. */
const isCursor = (text: string): boolean =>
  versionsCursor.test(text) || place.safeParse(stripMark(text)).success;

/** The parameters that choose a list and its order. */
interface ListChoice {
  readonly sort: ReviewOrder;
  readonly batch?: string | undefined;
  readonly label?: string | undefined;
  readonly name?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly issue?: string | undefined;
  readonly demand: number;
}

/** True if the list has the order: ranks are those of pending versions, and a package has one order. */
const isSortable = ({ sort, batch, label, name }: ListChoice): boolean => {
  const isPart = (batch ?? label) !== undefined;
  if (listMarks(sort).length > 0) return !isPart && name === undefined;
  return isPart || name === undefined || sort === 'submitted_at';
};

/** True if a cursor belongs to the list in its order. */
const isOfOrder = (cursor: string, choice: ListChoice): boolean => {
  const { sort, batch, label, name } = choice;
  const isOfPackage = name !== undefined && (batch ?? label) === undefined;
  if (isOfPackage) return versionsCursor.test(cursor);
  const marks = listMarks(sort);
  return marks.length > 0
    ? marks.some((mark) => cursor.startsWith(mark)) && isInRanks(cursor, sort, choice)
    : !versionsCursor.test(cursor) && stripMark(cursor) === cursor;
};

/** True if a cursor belongs to a list in the order of submission: no list of one package, and none with ranks. */
export const isOfSubmissions = (cursor: string): boolean =>
  isOfOrder(cursor, { sort: 'submitted_at', demand: 1 });

/** Filters and page of a list of reviews. */
export const ReviewsQuery = z
  .strictObject({
    batch: BatchName.optional().describe('Only versions of this batch.'),
    status: oneOf([...statuses, 'all'])
      .default('pending')
      .describe('The status of the versions. Other values than `pending` need `batch` or `label`.'),
    ecosystem: EcosystemFilter.optional(),
    name: z
      .string()
      .min(1)
      .max(maxNameLength)
      .optional()
      .describe(
        'Only versions of the package with this name. Needs `ecosystem`. Without `batch` and `label`, the list has the pending versions of the package in the order of submission.',
      ),
    issue: oneOf([...issueCodes, 'none'])
      .optional()
      .describe('Only versions with this issue, or without any (`none`).'),
    severity: oneOf(severities)
      .optional()
      .describe(
        'Only versions with an open vulnerability of this severity or a higher one. `unrated` means vulnerabilities of unknown severity.',
      ),
    license_status: oneOf(statedStatuses)
      .optional()
      .describe('Only versions whose effective license has this status.'),
    submitter: Identity.optional().describe(
      'Only versions that this name submitted, or a token with this label.',
    ),
    label: Identity.optional().describe(
      'Only versions that a token with this label submitted, in any status.',
    ),
    cause: oneOf(submissionCauses)
      .optional()
      .describe('Only versions that the registry submitted itself for this cause.'),
    waiting_days: count(0, maxWaitingDays)
      .default(0)
      .describe('Only versions that were submitted at least this many days ago.'),
    demand: count(1, maxBatches)
      .default(1)
      .describe('Only versions that at least this many batches request.'),
    sort: oneOf(reviewOrders)
      .default('submitted_at')
      .describe(
        'The order: by submission, the oldest or the newest (`-submitted_at`) first; by the worst vulnerability (`severity`); or by the number of batches (`demand`). Versions of one rank are in the order of submission. `severity` and `demand` order the pending versions only, without `batch`, `label` and `name`.',
      ),
    after: z
      .string()
      .refine(isCursor, {
        error:
          'must be a time in UTC, such as 2027-01-31T00:00:00Z, or `next` of the previous page',
      })
      .optional()
      .describe('Continues a list: `next` of the previous page.'),
    limit: Limit,
  })
  .refine(({ status, batch, label }) => status === 'pending' || (batch ?? label) !== undefined, {
    path: ['status'],
    error: 'needs a batch or a label: without one, the list has pending versions only',
  })
  .refine(({ name, ecosystem }) => name === undefined || ecosystem !== undefined, {
    path: ['name'],
    error: 'needs an ecosystem',
  })
  .refine((query) => isSortable(query), {
    path: ['sort'],
    error:
      'must be submitted_at or -submitted_at with a batch or a label, and submitted_at with a name',
  })
  .refine((query) => query.after === undefined || isOfOrder(query.after, query), {
    path: ['after'],
    error: 'must be `next` of the previous page, with equal `sort` and filters',
  });
export type ReviewsQuery = z.output<typeof ReviewsQuery>;
