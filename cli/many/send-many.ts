import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from '../../shared/client/client.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import type { ItemResult } from '../../shared/schemas/many.ts';
import { writeRows } from '../output/result.ts';
import { eraseLine, type Terminal } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import { judgeOutcomes, type Outcome, toRow, writeOutcomes } from './outcomes.ts';

/** Sends the items of one request. */
export type SendItems = (
  items: readonly JsonObject[],
  options: CallOptions,
) => Promise<readonly ItemResult[]>;

/** How often a request is sent again where some of it failed, and nothing more came of it. */
const patience = 3;

const countFailed = (results: readonly ItemResult[]): number =>
  results.filter(({ status }) => status >= 500).length;

/** Sends a batch until nothing of it fails, for as long as more and more of it is done. What was done is not done twice. */
export const sendBatch = async (
  { items, key }: Batch,
  send: SendItems,
  signal?: AbortSignal,
): Promise<readonly ItemResult[]> => {
  let fewest = Number.POSITIVE_INFINITY;
  for (let vain = 0; ; ) {
    const results = await send(items, { idempotencyKey: key });
    const failed = countFailed(results);
    vain = failed < fewest ? 0 : vain + 1;
    if (failed === 0 || vain === patience) return results;
    fewest = Math.min(fewest, failed);
    await delay(250 * 2 ** vain, undefined, { signal });
  }
};

/** Sends one batch after the other, tells how far it is, and yields what became of the items of each. */
export async function* sendBatches(
  batches: readonly Batch[],
  send: SendItems,
  { err }: Terminal,
): AsyncGenerator<readonly Outcome[]> {
  const total = batches.reduce((sum, { items }) => sum + items.length, 0);
  const tell = (text: string): void => {
    if (err.isTerminal) err.write(`${eraseLine}${text}`);
  };
  let sent = 0;
  try {
    for (const batch of batches) {
      tell(`${sent} of ${total} sent`);
      const results = await sendBatch(batch, send);
      sent += results.length;
      yield results.map((result, at) => ({ item: batch.items[at] ?? {}, result }));
    }
  } finally {
    tell('');
  }
}

/**
 * Sends one batch after the other, and tells what became of each item.
 * @throws {RequestError} where the registry failed, or could not be reached; then the same command goes on from there
 * @throws {JudgedError} if something was refused
 */
export const sendMany = async (
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
): Promise<void> => {
  const { terminal, format } = session;
  const outcomes: Outcome[] = [];
  try {
    for await (const some of sendBatches(batches, send, terminal)) {
      outcomes.push(...some);
      if (format === 'jsonl') writeRows(some.map(toRow), terminal.out, { format });
    }
  } finally {
    writeOutcomes(outcomes, session);
  }
  judgeOutcomes(outcomes);
};
