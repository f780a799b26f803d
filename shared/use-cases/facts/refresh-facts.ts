import { chooseNextRefresh, chooseRetry } from '../../domain/facts/refresh-schedule.ts';
import { isRemovalRecall } from '../../domain/recalls/recall.ts';
import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { formatMessage } from '../../platform/worker/read-message.ts';
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
  /** Hours until the next refresh of a version that its origin has. */
  readonly everyHours: number;
  /** Sends versions to the queue of origin fetches. */
  readonly send: (bodies: readonly string[]) => Promise<unknown>;
}

/** Approximate limit of fetches from one origin per minute. A week has room for six million versions of an ecosystem. */
const mostAtATime = 600;
/** Approximate limit per minute while an origin is failing. The first answer lifts it. */
const mostWhileFailing = 10;
const rowsAtATime = 100;
const parallelTransactions = 4;

/** True if no fetch could change anything: a rejected version that is not recalled because of a removal upstream. */
const isClosed = ({ status, recall }: ReviewState): boolean =>
  status === 'rejected' && !isRemovalRecall(recall);

/** Returns the next due time of a version. A closed version is not fetched, but stays scheduled for a later approval. */
const chooseNext = (head: ReviewState, { now, everyHours }: AskingContext): string =>
  isClosed(head) ? chooseNextRefresh({ found: 'yes' }, { now, everyHours }) : chooseRetry(now);

/**
 * Postpones the due row of a version, so that only one of several workers fetches it. Returns true if this worker shall
 * fetch it.
 */
const claim = async (row: FactsDue, context: AskingContext): Promise<boolean> => {
  const head = await findReviewState(row);
  if (head?.refresh_at !== row.due_at) {
    await transact([dropFactsDue(row)], context.deadline);
    return false;
  }
  const refresh_at = chooseNext(head, context);
  const isNoted = await tryToScheduleRefresh(row, head, { refresh_at }, context);
  return isNoted && !isClosed(head);
};

/** Returns false if the row cannot be postponed, so that its failure does not affect other rows. */
const tryToClaim = async (row: FactsDue, context: AskingContext): Promise<boolean> => {
  try {
    return await claim(row, context);
  } catch (error) {
    const { ecosystem, name, version } = row;
    logEvent('error', 'asking_failed', { ecosystem, name, version, error });
    return false;
  }
};

/** Sends the versions that this worker may fetch to the queue. Returns their number. */
const askAbout = async (rows: readonly FactsDue[], context: AskingContext): Promise<number> => {
  const claimed = await runInParallel(rows, parallelTransactions, (row) =>
    tryToClaim(row, context),
  );
  const bodies = rows.filter((_, at) => claimed[at]).map(formatMessage);
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
 * Queues all versions whose refresh is due, and returns their number. A version that is lost in the queue is queued again
 * within the hour. While an origin is failing, its other versions wait at no cost.
 */
export const refreshFacts = async (context: AskingContext): Promise<number> => {
  let asked = 0;
  for (const ecosystem of ecosystems) asked += await askOrigin(ecosystem, context);
  return asked;
};
