import type { Deadline } from '../deadline.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { chooseNextAsking, chooseRetry } from '../review/asking.ts';
import { dropFactsDue, type FactsDue, listFactsDue } from '../store/reviews/facts-due.ts';
import { findHead, type Head } from '../store/reviews/heads.ts';
import { transact } from '../store/transact.ts';
import { tryToNoteAsking } from './note-asking.ts';

interface AskingContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** After how many hours an origin is asked again that had the version. */
  readonly everyHours: number;
  /** Puts versions into the queue of those whose origins are asked. */
  readonly send: (bodies: readonly string[]) => Promise<unknown>;
}

/** So many origins are asked at most in one minute: a week has room for six million versions, and origins for others. */
const mostAtATime = 600;
const rowsAtATime = 100;
const parallelTransactions = 4;

/** When the next row of a version is due: nobody asks for one that is rejected, but it may be approved again. */
const chooseNext = ({ status }: Head, { now, everyHours }: AskingContext): string =>
  status === 'rejected'
    ? chooseNextAsking({ found: 'yes' }, { now, everyHours })
    : chooseRetry(now);

/** Puts off the row of a version, so that only one of several workers asks; resolves to whether this one is to ask. */
const claim = async (row: FactsDue, context: AskingContext): Promise<boolean> => {
  const head = await findHead(row);
  if (head?.asks_at !== row.due_at) {
    await transact([dropFactsDue(row)], context.deadline);
    return false;
  }
  const asks_at = chooseNext(head, context);
  const isNoted = await tryToNoteAsking(row, head, { asks_at }, context.deadline);
  return isNoted && head.status !== 'rejected';
};

/** One row that cannot be put off costs itself alone. */
const tryToClaim = async (row: FactsDue, context: AskingContext): Promise<boolean> => {
  try {
    return await claim(row, context);
  } catch (error) {
    const { ecosystem, name, version } = row;
    logEvent('error', 'asking_failed', { ecosystem, name, version, error });
    return false;
  }
};

/**
 * Has the origins of those versions be asked again whose time has come, by way of the queue. What gets lost there is
 * asked for again within the hour.
 * @returns of how many
 */
export const askAgain = async (context: AskingContext): Promise<number> => {
  let asked = 0;
  for (let seen = 0; seen < mostAtATime; seen += rowsAtATime) {
    const rows = await listFactsDue(context.now, rowsAtATime);
    const claimed = await runInParallel(rows, parallelTransactions, (row) =>
      tryToClaim(row, context),
    );
    const bodies = rows
      .filter((_, at) => claimed[at])
      .map(({ ecosystem, name, version }) => JSON.stringify({ ecosystem, name, version }));
    await context.send(bodies);
    asked += bodies.length;
    if (rows.length < rowsAtATime || context.deadline.remainingMs() < 30_000) break;
  }
  return asked;
};
