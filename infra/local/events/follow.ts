import { setTimeout as wait } from 'node:timers/promises';
import { listEvents } from '../../../shared/storage/events/events.ts';
import { formatEvent } from './format-event.ts';

/**
 * Prints each event from a time on, which its argument says, until its standard input ends. A program of its own, started
 * with the tables' names and an endpoint in its environment, as a function would be.
 */

const pollMs = 500;
const eventsAtATime = 1000;

const [, , since = ''] = process.argv;

// Whoever started it is gone.
process.stdin.on('end', () => process.exit()).resume();

for (let after = 0; ; ) {
  const events = await listEvents(after, eventsAtATime);
  for (const event of events) {
    if (event.at >= since) console.log(formatEvent(event));
  }
  after = events.at(-1)?.sequence ?? after;
  if (events.length < eventsAtATime) await wait(pollMs);
}
