import {
  chooseNextRefresh,
  findTagInterval,
  findWatchInterval,
} from '../../domain/facts/refresh-schedule.ts';
import type { FactsSummary } from '../../domain/facts/summary.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { isRemovalRecall } from '../../domain/recalls/recall.ts';
import { joinPackageRefresh } from '../../storage/reviews/package-refresh.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';
import { needsOtherCheck } from './check-provenance.ts';
import type { Answer } from './facts-collection.ts';

/** Time and settings of the schedule of refreshes. */
export interface ScheduleContext {
  readonly now: Date;
  /** Hours until the next refresh of a version that its origin has. */
  readonly everyHours: number;
  /** True to watch young approved versions for a removal upstream; false if omitted. */
  readonly watchesRemovals?: boolean;
}

/** True if no fetch could change anything: a rejected version that is not recalled because of a removal upstream. */
export const isClosed = ({ status, recall }: Pick<ReviewState, 'status' | 'recall'>): boolean =>
  status === 'rejected' && !isRemovalRecall(recall);

/**
 * True if the list of the package shows all that may change in the metadata of a version from now on. The others are fetched
 * alone: pending ones, which are also compared with other versions, and those that the registry submitted itself, whose
 * dependencies it requests again.
 */
const isDescribedByList = (
  { status, automatic }: ReviewState,
  facts: FactsSummary,
  { facts: { found }, manifest, passing = false }: Answer,
): boolean =>
  status === 'approved' &&
  found === 'yes' &&
  !passing &&
  facts.listing !== undefined &&
  automatic?.fingerprint !== null &&
  !needsOtherCheck(facts.provenance, manifest);

/** Next refresh of a version. */
interface RefreshPlan {
  /** Time of a refresh of the version alone, ISO 8601; undefined for none. */
  readonly refresh_at: string | undefined;
  readonly refresh_failures: number;
  /** True if the version can be refreshed with its package instead. */
  readonly joins: boolean;
}

/** Returns the shortest of some intervals; undefined without any. */
const findShortest = (intervals: readonly (number | undefined)[]): number | undefined => {
  const known = intervals.filter((one) => one !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** Returns when the metadata of a version is fetched next, by its new summary. */
export const planRefresh = (
  { ecosystem }: Pick<PackageId, 'ecosystem'>,
  head: ReviewState,
  facts: FactsSummary,
  answer: Answer,
  { now, everyHours, watchesRemovals = false }: ScheduleContext,
): RefreshPlan => {
  if (isClosed(head)) return { refresh_at: undefined, refresh_failures: 0, joins: false };
  const { passing = false, retryAfterMs = null } = answer;
  const failures = head.refresh_failures ?? 0;
  const isApproved = head.status === 'approved';
  const watched = { isApproved, facts, isRemoved: isRemovalRecall(head.recall) };
  const watchMs = findShortest([
    watchesRemovals ? findWatchInterval(watched, now) : undefined,
    ecosystem === 'docker' ? findTagInterval(facts, head.submitted_at, now) : undefined,
  ]);
  const outcome = { found: answer.facts.found, passing, failures, retryAfterMs, watchMs };
  return {
    refresh_at: chooseNextRefresh(outcome, { now, everyHours }),
    refresh_failures: passing ? failures + 1 : 0,
    joins: isDescribedByList(head, facts, answer),
  };
};

/** Returns when the approved versions of a package are refreshed next, by the latest publication among them; ISO 8601. */
export const planPackageRefresh = (
  youngest: string | null,
  { now, everyHours, watchesRemovals = false }: ScheduleContext,
): string => {
  const watched = { isApproved: true, facts: { published_at: youngest }, isRemoved: false };
  const watchMs = watchesRemovals ? findWatchInterval(watched, now) : undefined;
  return chooseNextRefresh({ found: 'yes', watchMs }, { now, everyHours });
};

/** Adds an approved version to the refreshes of its package. */
export const joinPackage = (
  id: PackageId,
  { published_at }: Pick<FactsSummary, 'published_at'>,
  context: ScheduleContext,
): Promise<void> => {
  const refreshAt = planPackageRefresh(published_at, context);
  return retryOnConflict(() => joinPackageRefresh(id, { refreshAt, publishedAt: published_at }));
};
