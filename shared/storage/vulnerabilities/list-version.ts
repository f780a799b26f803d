import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { ListingDue } from '../reviews/listing-due.ts';
import {
  type Claimed,
  checkLease,
  dropStrayDue,
  LeaseLostError,
  leaseIndexing,
  resumeIndexing,
} from './index-checkpoint.ts';
import { listUnderIds } from './list-under-ids.ts';
import { readListing, type VersionListing } from './read-listing.ts';

const tries = 5;

/**
 * Under how many ids a version is listed as soon as that is known. The clock goes on with the others, so that versions
 * behind one with very many ids wait for some 20 seconds, at 20 ms for each, and not for as long as that takes. Of a
 * batch of 20 versions, four at a time, that are as large as this all fit into the worker's 15 minutes, even at 0.1 s for
 * each id.
 */
export const mostIdsAtOnce = 1000;

/** After so many ids it is noted how far it has come: few enough for the time that is kept back by whoever goes on. */
const idsAStep = 200;

interface ListingOptions {
  /** What to look at besides that which changed. */
  readonly alsoIds?: readonly string[];
  /** What follows where a version is listed under ids: done before these count as listed, or else again. */
  readonly follow?: (id: PackageId, ids: readonly string[]) => Promise<void>;
  /** Under how many ids it is listed before the others are left to the clock; `mostIdsAtOnce` if not given. */
  readonly mostIds?: number;
}

interface Terms extends ListingOptions {
  readonly deadline: Deadline;
  /** Whether the clock goes on with what was left to it. */
  readonly isResumed: boolean;
  /** Whether there is time for more, when so many ids were listed. */
  readonly goesOn: (listed: number) => boolean;
}

/** The ids to list a version under: those that were left first, so that each has its turn however often others change. */
const findIds = ({ told, changedIds }: VersionListing, { alsoIds = [] }: Terms): string[] => [
  ...new Set([...told.openIds, ...changedIds, ...alsoIds]),
];

/** Whether a version is to be listed by whoever read it. */
const isWork = (listing: VersionListing, terms: Terms): boolean => {
  const { told, changedIds } = listing;
  // Where parts are missing the claim tells whether another worker came meanwhile; else they are lost, and put anew.
  if (!told.isWhole || changedIds.length > 0 || terms.alsoIds?.length) return true;
  return told.dueAt === null ? told.openIds.length > 0 : terms.isResumed;
};

const claim = (
  versionKey: string,
  listing: VersionListing,
  { ids, terms }: { readonly ids: readonly string[]; readonly terms: Terms },
): Promise<Claimed> => {
  const { told, picture, changedIds } = listing;
  const { deadline, isResumed, mostIds = mostIdsAtOnce } = terms;
  const isLeft = isResumed || told.dueAt !== null || ids.length > mostIds;
  const dueAt = isLeft ? new Date().toISOString() : null;
  const isSame = told.isWhole && changedIds.length === 0 && ids.length === told.openIds.length;
  return told.item && isSame
    ? resumeIndexing(told, told.item, { dueAt, deadline })
    : leaseIndexing(versionKey, told, { picture, ids, dueAt }, deadline);
};

/** Lists a claimed version under ids, step by step, for as long as there is time. */
const listClaimed = async (
  claimed: Claimed,
  ids: readonly string[],
  { listing, terms }: { readonly listing: VersionListing; readonly terms: Terms },
): Promise<void> => {
  const { picture, under } = listing;
  const { deadline, follow, goesOn, mostIds = mostIdsAtOnce } = terms;
  const step = Math.min(idsAStep, mostIds);
  for (let at = 0; at < ids.length; at += step) {
    if (at > 0) {
      await claimed.keepPlace(at);
      if (!goesOn(at)) return;
    }
    const some = ids.slice(at, at + step);
    const listings = some.map((id) => {
      const found = under.get(id);
      const row = found && { ...found.row, claim: claimed.claim };
      return { id, versionKey: claimed.v, told: row && { telling: found.telling, row } };
    });
    await listUnderIds(listings, { check: checkLease(claimed), deadline });
    const present = some.filter((id) => under.has(id));
    if (picture && present.length > 0) await follow?.(picture.version, present);
  }
  await claimed.close(deadline);
};

const listOnce = async (
  versionKey: string,
  listing: VersionListing,
  terms: Terms,
): Promise<void> => {
  if (!isWork(listing, terms)) return;
  const ids = findIds(listing, terms);
  const claimed = await claim(versionKey, listing, { ids, terms });
  await listClaimed(claimed, ids, { listing, terms });
};

/**
 * Lists a version under every id of what it has, and no other. What is listed already costs one query. It may end
 * anywhere and be begun again, by several workers at once. Of very many ids all but the first are left to the clock, as
 * are those that are left already, unless something changed.
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
      // Another worker claimed the version by an earlier picture, or by this one and may fail.
      if (!(error instanceof LeaseLostError) || earlier === tries) throw error;
    }
  }
};

/** Takes a row away by which nothing of a version is gone on with; resolves to what there is of the version. */
const dropStray = async (row: ListingDue, deadline: Deadline): Promise<VersionListing> => {
  const { version_key, due_at } = row;
  const listing = await readListing(version_key);
  if (listing.told.dueAt !== due_at) {
    await dropStrayDue(version_key, listing.told, { due_at, deadline });
  }
  return listing;
};

/** Where another worker has claimed the version meanwhile, that goes on with it, or leaves a row of its own. */
const unlessClaimed = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  }
};

export const dropStrayListing = (row: ListingDue, deadline: Deadline): Promise<void> =>
  unlessClaimed(dropStray(row, deadline));

/** Goes on with a version that was left to the clock; what is left again is the next run's, as its row says. */
export const resumeListing = (
  row: ListingDue,
  terms: Pick<Terms, 'deadline' | 'goesOn' | 'follow'>,
): Promise<void> => {
  const resume = async (): Promise<void> => {
    const listing = await dropStray(row, terms.deadline);
    await listOnce(row.version_key, listing, { ...terms, isResumed: true });
  };
  return unlessClaimed(resume());
};
