import type { JsonObject } from '../../shared/util/json.ts';
import { withInterruption } from '../input/interruption.ts';
import { isByRow, writeRows } from '../output/result.ts';
import { toOneLine } from '../output/text.ts';
import type { Session } from '../session/session.ts';
import type { Batch } from './batches.ts';
import {
  failForOutcomes,
  listDone,
  listRows,
  type Outcome,
  warnOfReplays,
  warnOfUnsent,
  writeOutcomes,
} from './outcomes.ts';
import { sendOrResendBatches } from './resend-batches.ts';
import { type SendItems, sendBatches } from './send-many.ts';

interface RunOptions {
  /** Whether batches are sent again under new keys if every answer was a replay. */
  readonly sendsAgain: boolean;
  /** How to get new answers, as the end of the warning about replays. */
  readonly advice: string;
  /** The codes of refusals that are no failure. */
  readonly accepted: readonly string[];
  /** Returns the warning about items of which the request succeeded. */
  readonly findWarning?: ((done: readonly JsonObject[]) => string | undefined) | undefined;
  /** Warns of the effects of what was done. */
  readonly warnOfEffects?:
    | ((done: readonly object[], session: Session) => Promise<void>)
    | undefined;
}

/**
 * Sends one batch after the other, and writes the outcome of each item.
 * @throws {InterruptedError} after Ctrl-C
 * @throws {RequestError} if the registry failed or could not be reached; the same command resumes there
 * @throws {NegativeResultError} if the registry refused an item
 */
export const runBatches = async (
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
  { sendsAgain, advice, accepted, findWarning, warnOfEffects }: RunOptions,
): Promise<void> => {
  const { terminal, format } = session;
  const outcomes: Outcome[] = [];
  const total = batches.reduce((sum, { items }) => sum + items.length, 0);
  const sendAll = sendsAgain ? sendOrResendBatches : sendBatches;
  try {
    await withInterruption(async (signal) => {
      for await (const some of sendAll(batches, send, session, { signal })) {
        outcomes.push(...some);
        if (isByRow(format)) writeRows(listRows(some, format), terminal.out, { format });
      }
    });
  } finally {
    writeOutcomes(outcomes, session, { accepted });
    warnOfReplays(outcomes, session, advice);
    warnOfUnsent(total - outcomes.length, session);
    const warning = findWarning?.(listDone(outcomes));
    if (warning) terminal.warn(toOneLine(warning));
  }
  await warnOfEffects?.(listDone(outcomes), session);
  failForOutcomes(outcomes, session, accepted);
};
