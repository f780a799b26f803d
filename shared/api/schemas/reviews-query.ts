import * as z from 'zod';
import { statedStatuses } from '../../domain/licenses/license-status.ts';
import { issueCodes } from '../../domain/review/approval.ts';
import { submissionCauses } from '../../domain/review/automatic-submission.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import { statuses } from '../../domain/review/status.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { oneOf } from './one-of.ts';
import { digits, Limit } from './query.ts';
import { BatchName } from './submission.ts';
import { Identity } from './text.ts';
import { placeAfterTime } from './time.ts';
import { EcosystemFilter } from './version-query.ts';

const maxWaitingDays = 3650;

const count = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return digits(error)
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
};

/** Filters and page of a list of reviews. */
export const ReviewsQuery = z
  .strictObject({
    batch: BatchName.optional().describe('Only versions of this batch.'),
    status: oneOf([...statuses, 'all'])
      .default('pending')
      .describe('The status of the versions. Other values than `pending` need `batch`.'),
    ecosystem: EcosystemFilter.optional(),
    issue: oneOf(issueCodes).optional().describe('Only versions with this issue.'),
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
    cause: oneOf(submissionCauses)
      .optional()
      .describe('Only versions that the registry submitted itself for this cause.'),
    waiting_days: count(0, maxWaitingDays)
      .default(0)
      .describe('Only versions that were submitted at least this many days ago.'),
    demand: count(1, maxBatches)
      .default(1)
      .describe('Only versions that at least this many batches request.'),
    after: placeAfterTime('#')
      .optional()
      .describe('Continues a list: `next` of the previous page.'),
    limit: Limit,
  })
  .refine(({ status, batch }) => status === 'pending' || batch !== undefined, {
    path: ['status'],
    error: 'needs a batch: without one, the list has pending versions only',
  });
export type ReviewsQuery = z.output<typeof ReviewsQuery>;
