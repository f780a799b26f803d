import { randomUUID } from 'node:crypto';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import type { Outcome } from './outcomes.ts';
import { type SendItems, sendBatches } from './send-many.ts';

/** Returns the replayed outcome if the decision is still in force; else the new one. */
const chooseOutcome = (replayed: Outcome | undefined, current: Outcome): Outcome =>
  replayed &&
  'package' in replayed.result &&
  'problem' in current.result &&
  current.result.problem.code === 'decision_in_force'
    ? { ...replayed, origin: 'replayed and in force' }
    : current;

/**
 * Sends batches, and resumes an interrupted command. If every answer is a replay, the command was not interrupted but
 * repeated: then all batches are sent again under new keys, since others may have decided otherwise in between.
 */
export async function* sendOrResendBatches(
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<readonly Outcome[]> {
  const held: (readonly Outcome[])[] = [];
  let isRepeated = true;
  try {
    for await (const outcomes of sendBatches(batches, send, session, options)) {
      isRepeated &&= outcomes.every(({ origin }) => origin === 'replayed');
      held.push(outcomes);
      if (!isRepeated) yield* held.splice(0);
    }
  } catch (error) {
    yield* held;
    throw error;
  }
  if (!isRepeated) return;
  const withNewKeys = batches.map(({ items }) => ({ items, key: randomUUID() }));
  for await (const outcomes of sendBatches(withNewKeys, send, session, options)) {
    const replayed = held.shift();
    yield outcomes.map((outcome, at) => chooseOutcome(replayed?.[at], outcome));
  }
}
