import { randomUUID } from 'node:crypto';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import type { Outcome } from './outcomes.ts';
import { type SendItems, sendBatches } from './send-many.ts';

/** What was decided before, and is so still, has its answer. */
const choose = (before: Outcome | undefined, anew: Outcome): Outcome =>
  before &&
  'package' in before.result &&
  'problem' in anew.result &&
  anew.result.problem.code === 'decision_in_force'
    ? { ...before, answered: 'before and still so' }
    : anew;

/**
 * Sends the batches of a command, which goes on where it was interrupted. One that comes to nothing but answers from
 * before was not interrupted but is given anew: then it is all asked once more, since somebody else may have decided
 * otherwise in between.
 */
export async function* sendOrAskAnew(
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
): AsyncGenerator<readonly Outcome[]> {
  const held: (readonly Outcome[])[] = [];
  let isDone = true;
  try {
    for await (const outcomes of sendBatches(batches, send, session)) {
      isDone &&= outcomes.every(({ answered }) => answered === 'before');
      held.push(outcomes);
      if (!isDone) yield* held.splice(0);
    }
  } catch (error) {
    yield* held;
    throw error;
  }
  if (!isDone) return;
  const anew = batches.map(({ items }) => ({ items, key: randomUUID() }));
  for await (const outcomes of sendBatches(anew, send, session)) {
    const before = held.shift();
    yield outcomes.map((outcome, at) => choose(before?.[at], outcome));
  }
}
