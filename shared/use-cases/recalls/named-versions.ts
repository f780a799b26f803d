import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { RecallCandidate } from '../../domain/recalls/bound-recalls.ts';
import { digestContent } from '../../domain/recalls/held-recall.ts';
import {
  type MalwareRecord,
  matchRecord,
  type RecordMatch,
  type RecordPackage,
} from '../../domain/recalls/match-record.ts';
import { isRecall } from '../../domain/recalls/recall.ts';
import { isKnownRecord } from '../../domain/review/malware-records.ts';
import { findResultTime, isOwn } from '../../domain/vulnerabilities/scan-source.ts';
import { listApproved } from '../../storage/packages/approved-versions.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { isDismissed } from '../../storage/recalls/held-recalls.ts';
import { listRecalledBy } from '../../storage/recalls/recall-rows.ts';
import { findReviewStates } from '../../storage/reviews/review-state.ts';
import { runInParallel } from '../../util/in-parallel.ts';

const parallelReads = 4;

/** A record, and the time of its change in the feed. */
export interface ListedRecord {
  readonly record: MalwareRecord;
  readonly listedAt: string;
}

/** Most rejected versions of a package among which recalled ones are searched. */
const mostRejected = 1000;

/** Returns the versions of a package that a recall rejects now. */
const listRecalled = async ({ ecosystem, name }: RecordPackage): Promise<readonly PackageItem[]> =>
  (await findNewestVersions({ ecosystem, name, status: 'rejected' }, mostRejected)).filter(
    isRecall,
  );

/** Most pending versions of a package among which named ones are searched. */
const mostPending = 1000;

const listPending = ({ ecosystem, name }: RecordPackage): Promise<readonly PackageItem[]> =>
  findNewestVersions({ ecosystem, name, status: 'pending' }, mostPending);

/** Returns the listed versions that a record names. */
const findNamed = async (
  record: MalwareRecord,
  list: (entry: RecordPackage) => Promise<readonly PackageItem[]>,
): Promise<readonly { readonly id: PackageId; readonly match: RecordMatch }[]> => {
  if (record.withdrawn !== null) return [];
  const versions = await runInParallel(record.affected, parallelReads, list);
  return versions.flat().flatMap(({ ecosystem, name, version }) => {
    const id = { ecosystem, name, version };
    const match = matchRecord(record, id);
    return match === undefined ? [] : [{ id, match }];
  });
};

/**
 * Returns the approved versions that a record names. None without a confirmation if a person dismissed the record with the same
 * content.
 */
export const findCandidates = async (
  { record, listedAt }: ListedRecord,
  confirmation: RecallCandidate['confirmation'],
  now: Date,
): Promise<RecallCandidate[]> => {
  const named = await findNamed(record, (entry) => listApproved(entry, now, { eventual: false }));
  if (named.length === 0) return [];
  const dismissal = { record: record.id, content: digestContent(record) };
  if (!confirmation && (await isDismissed(dismissal))) return [];
  const states = await findReviewStates(named.map(({ id }) => id));
  return named.map(({ id, match }) => ({
    ...{ id, match, record, recordAddedAt: listedAt, confirmation },
    published_at: states.get(toVersionKey(id))?.facts?.published_at ?? null,
  }));
};

/** Returns the versions that a record names, and that a recall rejects already. */
export const findRecalled = async ({ record }: ListedRecord): Promise<readonly PackageId[]> =>
  (await findNamed(record, listRecalled)).map(({ id }) => id);

/** Pending version that a record names, and of which no scan has reported the record. */
interface PendingNamed {
  readonly id: PackageId;
  /** True if the registry has scanned the version since a time. */
  readonly isScanned: boolean;
}

/** Returns the pending versions that a record names, without those whose scan has reported it or whose reviewer accepted it. */
export const findPendingNamed = async (
  { record }: ListedRecord,
  since: string,
): Promise<readonly PendingNamed[]> => {
  const ids = (await findNamed(record, listPending)).map(({ id }) => id);
  const states = await findReviewStates(ids);
  return ids.flatMap((id) => {
    const state = states.get(toVersionKey(id));
    if (state && isKnownRecord(state, record.id)) return [];
    const at = findResultTime(state?.sources.find(isOwn));
    return [{ id, isScanned: at !== undefined && at > since }];
  });
};

/** Returns the versions that a record recalls, and does not name any more. */
export const findReleases = async ({
  record,
}: ListedRecord): Promise<{ readonly id: PackageId; readonly record: MalwareRecord }[]> => {
  const recalled = await listRecalledBy(record.id);
  return recalled.flatMap((id) => (matchRecord(record, id) ? [] : [{ id, record }]));
};
