import type { RegistryEvent } from '../../shared/api/schemas/event.ts';
import { maxLimit } from '../../shared/api/schemas/query.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';

/** A range of sequence numbers without an event, from the first to the last of them. */
export interface LostEvents {
  readonly first: number;
  readonly last: number;
}

/** One page of events, and the numbers before and among them that have none. */
export interface EventsRead {
  readonly events: readonly RegistryEvent[];
  readonly lost: readonly LostEvents[];
}

/** Returns the numbers that are missing between an event and the events after it. */
const findLost = (after: number, events: readonly RegistryEvent[]): LostEvents[] =>
  events.flatMap(({ sequence }, at) => {
    const expected = (events[at - 1]?.sequence ?? after) + 1;
    return sequence > expected ? [{ first: expected, last: sequence - 1 }] : [];
  });

const describeLost = ({ first, last }: LostEvents): string =>
  first === last ? String(first) : `${first} to ${last}`;

/** Returns the failure of an export that needs events which the registry has lost. */
export const refuseLost = (lost: readonly LostEvents[]): NegativeResultError =>
  new NegativeResultError(
    `The export is incomplete: the registry has lost the events ${lost.map(describeLost).join(', ')}.`,
    ['registry history NAME --all --jsonl has the decisions on a package without its events.'],
  );

/** Returns the number of the last event; 0 without one. */
const findNewest = async ({ client }: Pick<Session, 'client'>): Promise<number> => {
  const { events, next } = await client.listEvents({ query: { last: 1 } });
  return events.at(-1)?.sequence ?? next;
};

/**
 * Reads every event up to the last one at the start, in order, and shows the progress. Events have no index by time, and an
 * event can get its number long after its time.
 * @throws {RequestError} if the registry refused, failed or could not be reached
 * @throws {Error} if the registry ends the list before its last event
 */
export async function* readAllEvents({
  client,
  progress,
}: Pick<Session, 'client' | 'progress'>): AsyncGenerator<EventsRead> {
  const newest = await findNewest({ client });
  let after = 0;
  try {
    while (after < newest) {
      const { events, next } = await client.listEvents({ query: { after, limit: maxLimit } });
      if (next <= after) {
        throw new Error(
          `The registry returns no event after ${after}, but its last event has the number ${newest}.`,
        );
      }
      const read = events.filter(({ sequence }) => sequence <= newest);
      yield { events: read, lost: findLost(after, read) };
      after = next;
      progress.show(`${formatCount(after)} of ${formatCount(newest)} events read`);
    }
  } finally {
    progress.end();
  }
}
