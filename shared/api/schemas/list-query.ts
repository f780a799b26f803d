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
    .describe('The order of submission, or newest first.'),
  view: z
    .enum(['full'], { error: 'must be full; leave it out for the short of each version' })
    .optional()
    .describe(
      `\`full\` adds the data for a review queue to each version, with at most ${maxFullLimit} versions on a page. It omits expired approvals from \`approved\`.`,
    ),
  ...limitAndOffset,
});
export type ListQuery = z.infer<typeof ListQuery>;
