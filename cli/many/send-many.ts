import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from '../../shared/api/client/client.ts';
import type { ItemResult } from '../../shared/api/schemas/many.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { exponentialDelay } from '../../shared/util/retry.ts';
import { matchAnswers } from '../failure/match-answers.ts';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import { isFault, type Outcome } from './outcomes.ts';

/** Sends the items of one request. */
export type SendItems = (
  items: readonly JsonObject[],
  options: CallOptions,
) => Promise<readonly ItemResult[]>;

/** The most retries in a row that complete no further item. */
const maxFruitlessRetries = 3;
const delayMs = exponentialDelay({ firstMs: 250, longestMs: 1000 });

/**
 * Sends a batch once. A replay answers an earlier run, unless the client had to retry: then it may be the lost answer to
 * this run.
 */
const sendOnce = async (
  { items, key }: Batch,
  send: SendItems,
  { countRetries }: Pick<Session, 'countRetries'>,
  signal: AbortSignal | undefined,
): Promise<readonly Outcome[]> => {
  const retries = countRetries();
  const results = await send(items, { idempotencyKey: key, ...(signal && { signal }) });
  const isFirst = countRetries() === retries;
  return matchAnswers(items, results).map(([item, result]) => ({
    item,
    result,
    origin: isFirst && 'replayed' in result ? 'replayed' : 'new',
  }));
};

/**
 * Sends a batch again until no item fails, as long as each attempt makes progress. No item is carried out twice.
 * @throws {RequestError} if the answer does not have one result for each item
 */
export const sendBatch = async (
  batch: Batch,
  send: SendItems,
  session: Pick<Session, 'countRetries'>,
  signal?: AbortSignal,
): Promise<readonly Outcome[]> => {
  const first = await sendOnce(batch, send, session, signal);
  let last = first;
  let fewest = first.filter(isFault).length;
  for (let fruitless = 0; fewest > 0 && fruitless < maxFruitlessRetries; ) {
    await delay(delayMs(fruitless), undefined, { signal });
    last = await sendOnce(batch, send, session, signal);
    const failed = last.filter(isFault).length;
    fruitless = failed < fewest ? 0 : fruitless + 1;
    fewest = Math.min(fewest, failed);
  }
  // Later attempts also replay what the first one did.
  return last.map((outcome, at) => ({
    ...outcome,
    origin: first[at]?.origin ?? 'new',
  }));
};

/** Awaits work that may fail later than others, so that its error is not unhandled until then. */
const settle = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => {
  const [settled] = await Promise.allSettled([work]);
  return settled;
};

interface SendOptions {
  /** The end of the progress line, such as `submitted for review`. */
  readonly done?: string;
  /** Ends the command, also during a request. */
  readonly signal?: AbortSignal;
  /** The number of requests at once; 1 unless given. More are only for items whose order does not matter. */
  readonly width?: number;
}

/** Sends batches, shows the progress, and yields the outcomes of each batch in the order of the batches. */
export async function* sendBatches(
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
  { done = 'sent', signal, width = 1 }: SendOptions = {},
): AsyncGenerator<readonly Outcome[]> {
  const { progress } = session;
  const total = batches.reduce((sum, { items }) => sum + items.length, 0);
  let sent = 0;
  const running: Promise<PromiseSettledResult<readonly Outcome[]>>[] = [];
  let fault: PromiseRejectedResult | undefined;
  const queue = batches.values();
  const start = (): void => {
    const { value: batch } = queue.next();
    if (!batch || fault || signal?.aborted) return;
    running.push(settle(sendBatch(batch, send, session, signal)));
  };
  try {
    progress.show(`0 of ${total} ${done}`);
    for (let lane = 0; lane < width; lane += 1) start();
    // After a fault, the requests that have begun still end, so that their outcomes are known.
    for (let next = running.shift(); next; next = running.shift()) {
      const settled = await next;
      if (settled.status === 'rejected') fault ??= settled;
      else {
        sent += settled.value.length;
        progress.show(`${sent} of ${total} ${done}`);
        yield settled.value;
      }
      start();
    }
    if (fault) throw fault.reason;
    signal?.throwIfAborted();
  } finally {
    progress.end();
  }
}
