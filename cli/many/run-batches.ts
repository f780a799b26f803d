import type { JsonObject } from '../../shared/util/json.ts';
import { writeRows } from '../output/result.ts';
import { toOneLine } from '../output/text.ts';
import type { Session } from '../session/session.ts';
import { sendOrAskAnew } from './ask-anew.ts';
import type { Batch } from './batches.ts';
import { judgeOutcomes, type Outcome, tellFromBefore, toRow, writeOutcomes } from './outcomes.ts';
import { type SendItems, sendBatches } from './send-many.ts';

/** What is particular to a command. */
interface Particulars {
  /** Whether it asks anew where all was answered before. */
  readonly asksAnew: boolean;
  /** What to do for other answers, after "are answers from before". */
  readonly advice: string;
  /** What to warn of, once some items are done. */
  readonly findWarning?: ((done: readonly JsonObject[]) => string | undefined) | undefined;
}

const listDone = (outcomes: readonly Outcome[]): readonly JsonObject[] =>
  outcomes.flatMap(({ item, result, answered }) =>
    answered === 'now' && 'package' in result ? [item] : [],
  );

/**
 * Sends one batch after the other, and tells what became of each item.
 * @throws {RequestError} where the registry failed, or could not be reached; then the same command goes on from there
 * @throws {JudgedError} if something was refused
 */
export const runBatches = async (
  batches: readonly Batch[],
  send: SendItems,
  session: Session,
  { asksAnew, advice, findWarning }: Particulars,
): Promise<void> => {
  const { terminal, format } = session;
  const outcomes: Outcome[] = [];
  try {
    const sent = asksAnew ? sendOrAskAnew : sendBatches;
    for await (const some of sent(batches, send, session)) {
      outcomes.push(...some);
      if (format === 'jsonl') writeRows(some.map(toRow), terminal.out, { format });
    }
  } finally {
    writeOutcomes(outcomes, session);
    tellFromBefore(outcomes, session, advice);
    const warning = findWarning?.(listDone(outcomes));
    if (warning) terminal.warn(toOneLine(warning));
  }
  judgeOutcomes(outcomes, session);
};
