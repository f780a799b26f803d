import type * as z from 'zod';
import { Limit } from './query.ts';
import { placeAfterTime } from './time.ts';
import { VersionSelection } from './version-query.ts';

export const HistoryQuery = VersionSelection.extend({
  before: placeAfterTime(' ')
    .optional()
    .describe('Only what happened before: a time, or `next` of the page before.'),
  limit: Limit,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;
