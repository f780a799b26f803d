import * as z from 'zod';
import { Limit } from './query.ts';
import { BatchName } from './submission.ts';

const day = /^\d{4}-\d\d-\d\d$/;

/** True for a day in UTC, or for the cursor of a page: a day, `#` and the name of a batch. */
const isPlace = (text: string): boolean => {
  const [date = '', batch, ...others] = text.split('#');
  const isNamed = batch === undefined || BatchName.safeParse(batch).success;
  return day.test(date) && isNamed && others.length === 0;
};

/** Page of the list of batches. */
export const BatchesQuery = z.strictObject({
  before: z
    .string()
    .refine(isPlace, { error: 'must be a day, such as 2027-01-31, or `next` of the previous page' })
    .optional()
    .describe('Only batches of earlier days: a day in UTC, or `next` of the previous page.'),
  limit: Limit,
});
export type BatchesQuery = z.output<typeof BatchesQuery>;

/** A batch in the list of batches. */
export const Batch = z
  .strictObject({
    batch: z.string().describe('The name of the batch.'),
    submitted_on: z.iso
      .date()
      .describe('The last day, in UTC, on which a request added a version to the batch.'),
  })
  .describe('A batch: submissions that belong together.');
export type Batch = z.infer<typeof Batch>;

export const BatchPage = z
  .strictObject({
    batches: z.array(Batch),
    next: z.string().nullable().describe('Cursor: send it as `before` to get the next page.'),
  })
  .describe('Batches, the newest first. A later page repeats a batch of several days.');
export type BatchPage = z.infer<typeof BatchPage>;
