import { formatPackage } from '../../domain/packages/format-package.ts';
import {
  planRecalls,
  type RecallAttention,
  type RecallCandidate,
} from '../../domain/recalls/bound-recalls.ts';
import { countOldRecallsSince } from '../../storage/recalls/recall-rows.ts';
import type { Deadline } from '../../util/deadline.ts';
import { dayMs } from '../../util/duration.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { type RecallContext, recallVersion } from './recall-version.ts';

const parallelWork = 4;

/** Most recalls of a day that are counted. With more, the bound of a day counts as exceeded. */
const mostCounted = 5000;

/** Minimum remaining time to start the work for an item, in milliseconds: a record is read in 20 s, and then the progress is saved. */
const reserveMs = 25_000;

/**
 * Runs work for each item while time allows. Returns the items whose work failed or was not started, for the next run. Logs each
 * failure with the name of its item.
 */
export const tryEach = async <T>(
  items: readonly T[],
  { nameOf, deadline }: { readonly nameOf: (item: T) => string; readonly deadline: Deadline },
  work: (item: T) => Promise<void>,
): Promise<readonly T[]> => {
  const failed = await runInParallel(items, parallelWork, async (item) => {
    if (deadline.remainingMs() < reserveMs) return [item];
    try {
      await work(item);
      return [];
    } catch (error) {
      logEvent('error', 'recall_failed', { record: nameOf(item), error });
      return [item];
    }
  });
  return failed.flat();
};

/** What became of the candidates of one run. */
export interface RecallOutcomes {
  readonly recalled: number;
  /** Candidates that people have to look at. */
  readonly held: readonly RecallAttention[];
  readonly failed: readonly RecallCandidate[];
}

const countOld = (now: Date): Promise<number> =>
  countOldRecallsSince(new Date(now.getTime() - dayMs), mostCounted);

/** Logs the versions that people have to look at. An alarm counts the lines. */
export const logHeld = (held: readonly RecallAttention[]): void => {
  for (const { id, record, reason } of held) {
    logEvent('error', 'recall_held', { package: formatPackage(id), record: record.id, reason });
  }
};

/** Recalls the candidates of one run within the bounds against false alarms. */
export const recallWithinBounds = async (
  candidates: readonly RecallCandidate[],
  context: RecallContext,
): Promise<RecallOutcomes> => {
  const { now, deadline } = context;
  let recalled = 0;
  const recalledToday = candidates.length === 0 ? 0 : await countOld(now);
  const plan = planRecalls(candidates, { recalledToday }, now);
  const failed = await tryEach(
    plan.recall,
    { nameOf: ({ record }) => record.id, deadline },
    async ({ id, record: { id: record, summary }, isOld, confirmation, recordAddedAt }) => {
      const signalAt = confirmation?.at ?? recordAddedAt;
      const cause = { record, summary, isOld, confirmation, signalAt };
      const outcome = await recallVersion(id, cause, context);
      if (outcome === 'recalled') recalled += 1;
    },
  );
  return { recalled, held: plan.attention, failed };
};
