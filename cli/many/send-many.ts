import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from '../../shared/api/client/client.ts';
import type { ItemResult } from '../../shared/api/schemas/many.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { matchAnswers } from '../failure/match-answers.ts';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import { isFault, type Outcome } from './outcomes.ts';

/** Sends the items of one request. */
export type SendItems = (
  items: readonly JsonObject[],
  options: CallOptions,
) => Promise<readonly ItemResult[]>;

/** How often a request is sent again where some of it failed, and nothing more came of it. */
const patience = 3;

/**
 * Sends once. An answer from memory is one to a command before this one, unless the client had to send again: then it
 * may be the one that got lost.
 */
const sendOnce = async (
  { items, key }: Batch,
  send: SendItems,
  { countRepeats }: Pick<Session, 'countRepeats'>,
): Promise<readonly Outcome[]> => {
  const repeats = countRepeats();
  const results = await send(items, { idempotencyKey: key });
  const isFirst = countRepeats() === repeats;
  return matchAnswers(items, results).map(([item, result]) => ({
    item,
    result,
    answered: isFirst && 'replayed' in result ? 'before' : 'now',
  }));
};

/**
 * Sends a batch until nothing of it fails, for as long as more and more of it is done. What was done is not done twice.
 * @throws {RequestError} where there is not one answer for each item
 */
export const sendBatch = async (
  batch: Batch,
  send: SendItems,
  session: Pick<Session, 'countRepeats'>,
  signal?: AbortSignal,
): Promise<readonly Outcome[]> => {
  const first = await sendOnce(batch, send, session);
  let last = first;
  let fewest = first.filter(isFault).length;
  for (let vain = 0; fewest > 0 && vain < patience; ) {
    await delay(250 * 2 ** vain, undefined, { signal });
    last = await sendOnce(batch, send, session);
    const failed = last.filter(isFault).length;
    vain = failed < fewest ? 0 : vain + 1;
    fewest = Math.min(fewest, failed);
  }
  // What this command did itself comes from memory, too, once the batch is sent again.
  return last.map((outcome, at) => ({
    ...outcome,
    answered: first[at]?.answered ?? 'now',
  }));
};

/**
 * Sends one batch after the other, tells how far it is, and yields what became of the items of each.
 * @param done what becomes of them, for people who watch
 */
export async function* sendBatches(
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
  done = 'sent',
): AsyncGenerator<readonly Outcome[]> {
  const { progress } = session;
  const total = batches.reduce((sum, { items }) => sum + items.length, 0);
  let sent = 0;
  try {
    for (const batch of batches) {
      progress.show(`${sent} of ${total} ${done}`);
      const outcomes = await sendBatch(batch, send, session);
      sent += outcomes.length;
      yield outcomes;
    }
  } finally {
    progress.end();
  }
}
