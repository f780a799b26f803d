import { chooseNextRefresh } from '../../domain/facts/refresh-schedule.ts';
import type { PackageName } from '../../domain/packages/package-id.ts';
import type { ListedPackage } from '../../ecosystems/origin-client.ts';
import type { QueuedRefresh } from '../../platform/worker/events/queued-refresh.ts';
import {
  deletePackageRefresh,
  findPackageRefresh,
  type PackageRefresh,
  savePackageRefresh,
} from '../../storage/reviews/package-refresh.ts';
import { EvidenceChangedError } from '../../storage/reviews/review-state-writes.ts';
import { logEvent } from '../../util/log.ts';
import { type ComparedPackage, comparePackage, type VersionList } from './compare-package.ts';
import type { FactsCollection, Outcomes } from './facts-collection.ts';
import { planPackageRefresh } from './plan-refresh.ts';

type FailedList = Extract<ListedPackage, { readonly outcome: 'failed' }>;

/** Outcome after which the versions of a package are compared: a list, no name, or no list that describes them. */
type ComparedList = Exclude<ListedPackage, { readonly outcome: 'failed' | 'unchanged' }>;

/** Fields of a package's row after a refresh. */
type RefreshOutcome = Parameters<typeof savePackageRefresh>[1];

/** Returns the row after a failure for a temporary reason: all metadata stays, and its time. */
const postpone = (
  { failures = 0 }: PackageRefresh,
  { retryAfterMs }: FailedList,
  { everyHours }: FactsCollection,
): RefreshOutcome => {
  const outcome = { found: 'unknown', passing: true, failures, retryAfterMs } as const;
  const refresh_at = chooseNextRefresh(outcome, { now: new Date(), everyHours });
  return { refresh_at, failures: failures + 1 };
};

/** Returns the row after an answer that is the same as the last one. */
const confirm = ({ youngest }: PackageRefresh, collection: FactsCollection): RefreshOutcome => {
  const now = new Date();
  return {
    refresh_at: planPackageRefresh(youngest ?? null, { ...collection, now }),
    checked_at: now.toISOString(),
    failures: undefined,
  };
};

/** Returns the row after a comparison of all versions. Without a list, nothing confirms their metadata. */
const conclude = (
  listed: ComparedList,
  { youngest, isExact }: ComparedPackage,
  collection: FactsCollection,
): RefreshOutcome => {
  const now = new Date();
  const isAnswered = listed.outcome === 'answered';
  const shared = {
    youngest: youngest ?? undefined,
    validator: isAnswered && isExact ? listed.validator : undefined,
    ...{ failures: undefined, progress: undefined },
  };
  if (listed.outcome === 'unlisted') {
    const { everyHours } = collection;
    return { ...shared, refresh_at: chooseNextRefresh({ found: 'unknown' }, { now, everyHours }) };
  }
  return {
    ...shared,
    refresh_at: planPackageRefresh(youngest, { ...collection, now }),
    checked_at: now.toISOString(),
    newest_version: isAnswered ? listed.newestVersion : null,
  };
};

const noVersions: VersionList = { digest: null, releases: [], digestOf: () => undefined };

/** Compares the versions of a package with an answer, as far as time allows, and saves how far it came. */
const compareAll = async (
  { id, row }: { readonly id: PackageName; readonly row: PackageRefresh },
  listed: ComparedList,
  collection: FactsCollection,
): Promise<void> => {
  const list =
    listed.outcome === 'answered' ? { ...listed, digest: listed.validator.digest } : noVersions;
  const compared = await comparePackage(id, { list, progress: row.progress }, collection);
  const { after, isEmpty, ...found } = compared;
  if (after) {
    const progress = { digest: list.digest, after, ...found };
    return savePackageRefresh(row, { progress, refresh_at: new Date().toISOString() });
  }
  if (isEmpty) return deletePackageRefresh(row);
  return savePackageRefresh(row, conclude(listed, compared, collection));
};

const saveOutcome = (
  found: { readonly id: PackageName; readonly row: PackageRefresh },
  listed: ListedPackage,
  collection: FactsCollection,
): Promise<void> => {
  switch (listed.outcome) {
    case 'failed':
      return savePackageRefresh(found.row, postpone(found.row, listed, collection));
    case 'unchanged':
      return savePackageRefresh(found.row, confirm(found.row, collection));
    default:
      return compareAll(found, listed, collection);
  }
};

const refresh = async (
  { ecosystem, name }: PackageName,
  row: PackageRefresh,
  { collection, outcomes }: { readonly collection: FactsCollection; readonly outcomes: Outcomes },
): Promise<void> => {
  const id = { ecosystem, name };
  // Updates need the releases, and a comparison that continues needs the versions, also of an unchanged list.
  const needsList = collection.followReleases !== undefined || row.progress !== undefined;
  const listed = await collection.fetchPackageList(id, needsList ? undefined : row.validator);
  const isFailure = listed.outcome === 'failed';
  (isFailure ? outcomes.failed : outcomes.answered).add(ecosystem);
  if (isFailure || listed.outcome === 'unlisted') {
    logEvent('warn', 'facts_unknown', { ecosystem, name, reason: listed.reason });
  }
  await saveOutcome({ id, row }, listed, collection);
};

/**
 * Refreshes the upstream metadata of the approved versions of a package by one request for the list of its versions. Without
 * news, it makes one read and one write. Versions that differ from the list become due at once, each alone. Returns false after
 * a failure of the registry's own.
 */
export const refreshPackage = async (
  { due_at, ...id }: QueuedRefresh,
  collection: FactsCollection,
  outcomes: Outcomes,
): Promise<boolean> => {
  try {
    // A read that misses the last change is safe: the write is then refused.
    const row = await findPackageRefresh(id, { eventual: true });
    if (row && row.refresh_at === due_at) await refresh(id, row, { collection, outcomes });
    return true;
  } catch (error) {
    // Another refresh, or a version that joined: the schedule sends the package again.
    if (error instanceof EvidenceChangedError) return true;
    logEvent('error', 'facts_not_kept', { ...id, error });
    return false;
  }
};
