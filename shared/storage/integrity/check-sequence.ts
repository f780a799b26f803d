import { setTimeout as delay } from 'node:timers/promises';
import { readSequence, setSequence, toReviewState } from '../events/event-count.ts';
import { findLastSequence } from '../events/event-positions.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const tries = 5;
const pauseMs = 100;

/** What the head of the sequence says, and the last event, read between two looks that show that none was appended. */
const readSteadily = async ({ tally }: CheckContext) => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await delay(Math.random() * pauseMs);
    const seen = await readSequence();
    const says = toReviewState(seen);
    const last = await findLastSequence(says);
    if ((await readSequence())?.seq === seen?.seq) return { seen, says, last };
  }
  tally.leaveUnjudged();
  return undefined;
};

/**
 * Finds a head of the sequence that is behind the last event, so that none can be appended, or, where all events are in
 * their places, ahead of it, so that readers would wait for those between for ever.
 */
export const checkSequence = async (
  isWrong: (says: number, last: number) => boolean,
  context: CheckContext,
): Promise<void> => {
  const steady = await readSteadily(context);
  if (!steady || !isWrong(steady.says, steady.last)) return;
  const { seen, says, last } = steady;
  const isNew = context.tally.findOnce('wrong_sequence', `says ${says}, the last event is ${last}`);
  if (!context.repair) return;
  const isSet = await transactUnlessChanged([setSequence(last, seen)], context.deadline);
  if (isSet && isNew) context.tally.repair(1);
};
