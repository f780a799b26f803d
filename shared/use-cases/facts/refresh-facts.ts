import { chooseNextRefresh, chooseRetry } from '../../domain/facts/refresh-schedule.ts';
import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { dropFactsDue, type FactsDue, listFactsDue } from '../../storage/reviews/facts-due.ts';
import { isOriginFailing } from '../../storage/reviews/origin-state.ts';
import { findReviewState, type ReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { tryToScheduleRefresh } from './schedule-refresh.ts';

interface AskingContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** After how many hours an origin is asked again that had the version. */
  readonly everyHours: number;
  /** Puts versions into the queue of those whose origins are asked. */
  readonly send: (bodies: readonly string[]) => Promise<unknown>;
}

/** About so many versions an origin is asked at most in one minute: a week has room for six million of an ecosystem. */
const mostAtATime = 600;
/** And about so many while it answers nobody: once it answers one of them, all others follow. */
const mostWhileFailing = 10;
const rowsAtATime = 100;
const parallelTransactions = 4;

/** When the next row of a version is due: nobody asks for one that is rejected, but it may be approved again. */
const chooseNext = ({ status }: ReviewState, { now, everyHours }: AskingContext): string =>
  status === 'rejected'
    ? chooseNextRefresh({ found: 'yes' }, { now, everyHours })
    : chooseRetry(now);

/** Puts off the row of a version, so that only one of several workers asks; resolves to whether this one is to ask. */
const claim = async (row: FactsDue, context: AskingContext): Promise<boolean> => {
  const head = await findReviewState(row);
  if (head?.refresh_at !== row.due_at) {
    await transact([dropFactsDue(row)], context.deadline);
    return false;
  }
  const refresh_at = chooseNext(head, context);
  const isNoted = await tryToScheduleRefresh(row, head, { refresh_at }, context.deadline);
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

/** Puts some versions into the queue; resolves to how many. */
const askAbout = async (rows: readonly FactsDue[], context: AskingContext): Promise<number> => {
  const claimed = await runInParallel(rows, parallelTransactions, (row) =>
    tryToClaim(row, context),
  );
  const bodies = rows
    .filter((_, at) => claimed[at])
    .map(({ ecosystem, name, version }) => JSON.stringify({ ecosystem, name, version }));
  await context.send(bodies);
  return bodies.length;
};

const askOrigin = async (ecosystem: Ecosystem, context: AskingContext): Promise<number> => {
  const most = (await isOriginFailing(ecosystem)) ? mostWhileFailing : mostAtATime;
  let asked = 0;
  for (let seen = 0; seen < most; seen += rowsAtATime) {
    const count = Math.min(rowsAtATime, most - seen);
    const rows = await listFactsDue(ecosystem, context.now, count);
    asked += await askAbout(rows, context);
    if (rows.length < count || context.deadline.remainingMs() < 30_000) break;
  }
  return asked;
};

/**
 * Has the origins of those versions be asked again whose time has come, by way of the queue. What gets lost there is
 * asked for again within the hour. Of an origin that answers nobody, the other versions wait as they are, at no cost.
 * @returns of how many
 */
export const refreshFacts = async (context: AskingContext): Promise<number> => {
  let asked = 0;
  for (const ecosystem of ecosystems) asked += await askOrigin(ecosystem, context);
  return asked;
};
