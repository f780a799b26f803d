import { setImmediate as nextTurn } from 'node:timers/promises';
import { sequenceEvents } from '../../../shared/use-cases/events/sequence-events.ts';
import type { Random } from '../../support/random.ts';
import type { Committed } from './record-source.ts';

const shardCount = 3;
const longestBatch = 50;
const patienceMs = 10_000;

const invoke = (batch: readonly Committed[]): Promise<void> =>
  sequenceEvents(
    { Records: batch.map(({ streamed }) => streamed) },
    { remainingMs: () => patienceMs },
  );

const hash = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_536, 7);

/**
 * Brings records to the sequencer as Lambda does: those of one package in one shard and in order, a batch at a time, again
 * until it succeeds, and sometimes again after that; shards side by side.
 */
export const createLambda = (random: Random) => {
  const shards = Array.from({ length: shardCount }, (): Committed[] => []);
  let isClosed = false;

  const deliver = async (batch: readonly Committed[]): Promise<void> => {
    // Some are delivered twice at once, as by an invocation that was taken for dead.
    const times = random.below(4) === 0 ? 2 : 1;
    const outcomes = await Promise.allSettled(Array.from({ length: times }, () => invoke(batch)));
    const isDone = outcomes.every(({ status }) => status === 'fulfilled');
    if (!isDone || random.below(4) === 0) await deliver(batch);
  };

  const poll = async (shard: Committed[]): Promise<void> => {
    while (!isClosed || shard.length > 0) {
      const batch = shard.slice(0, 1 + random.below(longestBatch));
      if (batch.length === 0) await nextTurn();
      else {
        await deliver(batch);
        shard.splice(0, batch.length);
      }
    }
  };

  const polling = Promise.all(shards.map(poll));
  return {
    add: (committed: readonly Committed[]): void => {
      for (const one of committed) {
        shards[hash(one.record.package_key) % shardCount]?.push(one);
      }
    },
    /** Resolves when all that was added has been delivered. */
    close: async (): Promise<void> => {
      isClosed = true;
      await polling;
    },
  };
};
