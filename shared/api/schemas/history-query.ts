import type * as z from 'zod';
import { Limit } from './query.ts';
import { placeAfterTime } from './time.ts';
import { VersionSelection } from './version-query.ts';

export const HistoryQuery = VersionSelection.extend({
  before: placeAfterTime(' ')
    .optional()
    .describe('Only earlier events: a time, or `next` of the previous page.'),
  limit: Limit,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;
