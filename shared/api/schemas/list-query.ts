import * as z from 'zod';
import { limitAndOffset, Search } from './query.ts';
import { EcosystemFilter, StatusFilter } from './version-query.ts';

/** Maximum page size of a list with `view=full`: the size of one batch read. */
export const maxFullLimit = 100;

/** Filters, order and page of a list of all versions. */
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
