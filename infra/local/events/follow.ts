import { setTimeout as wait } from 'node:timers/promises';
import { listEvents } from '../../../shared/storage/events/events.ts';
import { formatEvent } from './format-event.ts';

/**
 * Prints each event after the time in its argument, until standard input ends. The program needs the environment of a
 * function: names of tables and the address of DynamoDB.
 */

const pollMs = 500;
const eventsAtATime = 1000;

const [, , since = ''] = process.argv;

// The process that started this one has ended.
process.stdin.on('end', () => process.exit()).resume();

for (let after = 0; ; ) {
  const events = await listEvents(after, eventsAtATime);
  for (const event of events) {
    if (event.at >= since) console.log(formatEvent(event));
  }
  after = events.at(-1)?.sequence ?? after;
  if (events.length < eventsAtATime) await wait(pollMs);
}
