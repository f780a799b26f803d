import * as z from 'zod';
import { reviewWaits } from '../../domain/policy/review-waits.ts';
import { mostPendingUpdates } from '../../domain/review/automatic-submission.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import { ListedVersion } from './listed.ts';
import { Timestamp } from './package.ts';

/** Progress of a review, as in the answers of lists and checks. */
export const reviewProgress = {
  rule: z
    .string()
    .nullable()
    .describe(
      'The rule of the policy that decided, that requires a manual review, or that waits for the age or the end of a freeze. Null if there is none, or a person decided.',
    ),
  waits_for: z
    .array(z.enum(reviewWaits))
    .describe(
      'What a pending version waits for: upstream metadata (`facts`), a `scan`, an evaluation by `rules`, its `age`, the end of the `freeze` in force, or the `review` by a person. Without deployed rules, it stays at `rules`.',
    ),
  waits_until: Timestamp.nullable().describe(
    'When the version reaches the age that the rule requires. Null if it waits for no age.',
  ),
};

/** A version in a list of reviews. */
export const Review = ListedVersion.extend({
  ...reviewProgress,
  batches: z
    .array(z.string())
    .describe(`Names of the batches that request the version, at most ${maxBatches}.`),
  demand: z.int().positive().describe('Number of batches that request the version, at least 1.'),
}).describe('A package version in a list of reviews.');
export type Review = z.infer<typeof Review>;

export const ReviewPage = z
  .strictObject({
    reviews: z.array(Review),
    looked_at: z.int().describe('Number of versions that this request looked at, up to `next`.'),
    complete: z
      .boolean()
      .describe('True if the request reached the end of the list. Otherwise `next` continues.'),
    older_updates: z
      .int()
      .nonnegative()
      .max(mostPendingUpdates)
      .describe(
        `Number of pending updates in the registry that a list without \`batch\` leaves out, because each has a \`newer_update\`; counted among the first ${mostPendingUpdates.toLocaleString('en')} pending updates. 0 with \`batch\`.`,
      ),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('Versions that match the filters, in the order of submission.');
export type ReviewPage = z.infer<typeof ReviewPage>;
