import * as z from 'zod';
import { Limit, wholeNumber } from './query.ts';

const wholeSequence = (error: string) =>
  z.string().regex(wholeNumber, { error }).transform(Number).pipe(z.int({ error }));

export const EventsQuery = z.strictObject({
  after: wholeSequence('must be a whole number: `next` of the page before, or 0 for the beginning')
    .optional()
    .describe(
      'Only events with a higher sequence number. Without it, the list starts with the first event.',
    ),
  last: wholeSequence('must be a whole number')
    .optional()
    .describe('Instead of `after`: starts with this many of the latest events.'),
  limit: Limit,
});
export type EventsQuery = z.infer<typeof EventsQuery>;
