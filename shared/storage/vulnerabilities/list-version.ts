import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { ListingDue } from '../reviews/listing-due.ts';
import {
  checkLease,
  dropStrayDue,
  type Lease,
  LeaseLostError,
  leaseIndexing,
  resumeIndexing,
} from './index-checkpoint.ts';
import { listUnderIds } from './list-under-ids.ts';
import { readListing, type VersionListing } from './read-listing.ts';

const tries = 5;

/**
 * Maximum number of ids that a version is listed under at once. Due work continues with the others. So the next
 * versions wait for at most about 20 seconds, at 20 ms for each id. A batch of 20 such versions, four at a time, fits
 * into the 15 minutes of the worker, even at 0.1 s for each id.
 */
export const mostIdsAtOnce = 1000;

/** Ids between two writes of the checkpoint: few enough for the time that due work reserves before its deadline. */
const idsAStep = 200;

interface ListingOptions {
  /** Ids to list besides those that changed. */
  readonly alsoIds?: readonly string[];
  /** Follow-up work after the listing under ids. The ids count as listed after it; a failure repeats both. */
  readonly follow?: (id: PackageId, ids: readonly string[]) => Promise<void>;
  /** Maximum number of ids before the others are left to due work; `mostIdsAtOnce` by default. */
  readonly mostIds?: number;
}

interface Terms extends ListingOptions {
  readonly deadline: Deadline;
  /** True if due work continues with ids that were left to it. */
  readonly isResumed: boolean;
  /** True if the work may continue after this number of listed ids. */
  readonly goesOn: (listed: number) => boolean;
}

/** Returns the ids to list a version under. Open ids come first, so that changes of others cannot delay them. */
const findIds = ({ checkpoint, changedIds }: VersionListing, { alsoIds = [] }: Terms): string[] => [
  ...new Set([...checkpoint.openIds, ...changedIds, ...alsoIds]),
];

/** True if the worker that read a version must list it now. */
const isWork = (listing: VersionListing, terms: Terms): boolean => {
  const { checkpoint, changedIds } = listing;
  // If parts are missing, another worker took the lease, and the new lease fails; or they are lost, and put again.
  if (!checkpoint.isWhole || changedIds.length > 0 || terms.alsoIds?.length) return true;
  return checkpoint.dueAt === null ? checkpoint.openIds.length > 0 : terms.isResumed;
};

/**
 * Takes the lease of a version, to list it under these ids. Schedules due work if there are too many ids for one run,
 * or if due work is scheduled already.
 */
const takeLease = (
  versionKey: string,
  listing: VersionListing,
  { ids, terms }: { readonly ids: readonly string[]; readonly terms: Terms },
): Promise<Lease> => {
  const { checkpoint, mergedScan, changedIds } = listing;
  const { deadline, isResumed, mostIds = mostIdsAtOnce } = terms;
  const isLeft = isResumed || checkpoint.dueAt !== null || ids.length > mostIds;
  const dueAt = isLeft ? new Date().toISOString() : null;
  const isSame =
    checkpoint.isWhole && changedIds.length === 0 && ids.length === checkpoint.openIds.length;
  return checkpoint.item && isSame
    ? resumeIndexing(checkpoint, checkpoint.item, { dueAt, deadline })
    : leaseIndexing(versionKey, checkpoint, { mergedScan, ids, dueAt }, deadline);
};

/** Lists a version under ids, with its lease, in steps, while the work may continue. */
const listWithLease = async (
  lease: Lease,
  ids: readonly string[],
  { listing, terms }: { readonly listing: VersionListing; readonly terms: Terms },
): Promise<void> => {
  const { mergedScan, under } = listing;
  const { deadline, follow, goesOn, mostIds = mostIdsAtOnce } = terms;
  const step = Math.min(idsAStep, mostIds);
  for (let at = 0; at < ids.length; at += step) {
    if (at > 0) {
      await lease.saveCursor(at);
      if (!goesOn(at)) return;
    }
    const some = ids.slice(at, at + step);
    const listings = some.map((id) => {
      const found = under.get(id);
      const row = found && { ...found.row, leaseNumber: lease.leaseNumber };
      return { id, versionKey: lease.v, expected: row && { description: found.description, row } };
    });
    await listUnderIds(listings, { check: checkLease(lease), deadline });
    const present = some.filter((id) => under.has(id));
    if (mergedScan && present.length > 0) await follow?.(mergedScan.version, present);
  }
  await lease.close(deadline);
};

const listOnce = async (
  versionKey: string,
  listing: VersionListing,
  terms: Terms,
): Promise<void> => {
  if (!isWork(listing, terms)) return;
  const ids = findIds(listing, terms);
  const lease = await takeLease(versionKey, listing, { ids, terms });
  await listWithLease(lease, ids, { listing, terms });
};

/**
 * Lists a version under each id of its vulnerabilities, and under no other. An up-to-date version costs one query.
 * Interrupted work can be repeated, also by several workers at once. Ids beyond the maximum are left to due work. So
 * are ids that were left to it before, unless something changed.
 */
export const listVersion = async (
  versionKey: string,
  deadline: Deadline,
  options: ListingOptions = {},
): Promise<void> => {
  const { mostIds = mostIdsAtOnce } = options;
  const goesOn = (listed: number): boolean => listed < mostIds;
  const terms = { ...options, deadline, goesOn, isResumed: false };
  for (let earlier = 0; ; earlier += 1) {
    try {
      return await listOnce(versionKey, await readListing(versionKey), terms);
    } catch (error) {
      // Another worker took the lease, with an older merged scan, or with the same one. That worker may fail.
      if (!(error instanceof LeaseLostError) || earlier === tries) throw error;
    }
  }
};

/** Deletes a due row if it does not belong to the checkpoint of its version. Returns the listing of the version. */
const dropStray = async (row: ListingDue, deadline: Deadline): Promise<VersionListing> => {
  const { version_key, due_at } = row;
  const listing = await readListing(version_key);
  if (listing.checkpoint.dueAt !== due_at) {
    await dropStrayDue(version_key, listing.checkpoint, { due_at, deadline });
  }
  return listing;
};

/** Awaits work, and ignores a lost lease: the other worker continues with the version, or leaves its own due row. */
const unlessLeaseLost = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  }
};

/** Deletes a due row if it does not belong to the checkpoint of its version. */
export const dropStrayListing = (row: ListingDue, deadline: Deadline): Promise<void> =>
  unlessLeaseLost(dropStray(row, deadline));

/** Continues a listing that was left to due work. If time is short, a new due row leaves the rest to the next run. */
export const resumeListing = (
  row: ListingDue,
  terms: Pick<Terms, 'deadline' | 'goesOn' | 'follow'>,
): Promise<void> => {
  const resume = async (): Promise<void> => {
    const listing = await dropStray(row, terms.deadline);
    await listOnce(row.version_key, listing, { ...terms, isResumed: true });
  };
  return unlessLeaseLost(resume());
};
