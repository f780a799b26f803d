import * as z from 'zod';
import { Limit, wholeNumber } from './query.ts';

const wholeSequence = (error: string) =>
  z.string().regex(wholeNumber, { error }).transform(Number).pipe(z.int({ error }));

export const EventsQuery = z.strictObject({
  after: wholeSequence('must be a whole number: `next` of the page before, or 0 for the beginning')
    .optional()
    .describe('Only what has a higher sequence; from the beginning, if not given.'),
  last: wholeSequence('must be a whole number')
    .optional()
    .describe('In place of `after`: this many of the last events, and what comes after them.'),
  limit: Limit,
});
export type EventsQuery = z.infer<typeof EventsQuery>;
