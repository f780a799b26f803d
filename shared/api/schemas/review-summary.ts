import * as z from 'zod';
import { issueCodes } from '../../domain/review/approval.ts';
import { isOfSubmissions, ReviewsQuery } from './reviews-query.ts';

/** The part of the list of reviews to summarize. */
export const ReviewSummaryQuery = z.strictObject({
  batch: ReviewsQuery.shape.batch,
  label: ReviewsQuery.shape.label,
  ecosystem: ReviewsQuery.shape.ecosystem,
  after: ReviewsQuery.shape.after.refine((after) => after === undefined || isOfSubmissions(after), {
    error: 'must be `next` of the previous summary',
  }),
});
export type ReviewSummaryQuery = z.output<typeof ReviewSummaryQuery>;

const count = z.int().nonnegative();

/** Number of versions with an issue. */
const IssueCount = z.strictObject({
  code: z.enum(issueCodes).describe('The code of the issue.'),
  versions: count.describe('Pending versions with the issue.'),
  blocking: count.describe('Pending versions of which the issue blocks the approval.'),
});

const AgeCount = z.strictObject({
  from_days: count.describe('The lower bound of the waiting time, in days.'),
  versions: count.describe('Pending versions that waited so long, and less than the next bound.'),
});

/** What pending versions wait for. A version may wait for several. */
const WaitCounts = z.strictObject({
  review: count.describe('For a decision by a person.'),
  facts: count.describe('For upstream metadata.'),
  scan: count.describe('For a scan.'),
  rules: count.describe('For an evaluation by rules.'),
  age: count.describe('For the age that a rule requires.'),
  freeze: count.describe('For the end of the freeze in force.'),
});

/** Summary of a list of reviews. */
export const ReviewSummary = z
  .strictObject({
    pending: count.describe('Pending versions.'),
    approved: count.describe('Approved versions; 0 without `batch` and `label`.'),
    rejected: count.describe('Rejected versions; 0 without `batch` and `label`.'),
    by_age: z.array(AgeCount).describe('Pending versions by their waiting time.'),
    waits: WaitCounts,
    issues: z
      .array(IssueCount)
      .describe('Issues of pending versions, the one that blocks most first.'),
    evaluated: count.describe(
      'Number of pending versions whose evidence the request read for `waits` and `issues`: the first 500 at most.',
    ),
    looked_at: count.describe('Number of versions that the request looked at, up to `next`.'),
    complete: z
      .boolean()
      .describe('True if the request reached the end of the list. Otherwise `next` continues.'),
    next: z
      .string()
      .nullable()
      .describe('Cursor: send it as `after` to summarize the rest of the list.'),
  })
  .describe('Counts of the versions in a list of reviews.');
export type ReviewSummary = z.infer<typeof ReviewSummary>;
