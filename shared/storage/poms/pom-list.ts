import { isDeepStrictEqual } from 'node:util';
import type { Checksums } from '../../util/checksums.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { batchGet } from '../dynamodb/read.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { checkItem, type Guard, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findRecords } from '../reviews/facts-items.ts';
import {
  isWhole,
  type ReviewState,
  reviewStateKey,
  reviewStatesTable,
} from '../reviews/review-state.ts';
import { pomRowsTable, readCoordinates, toPomRowKey } from './pom-rows.ts';

/**
 * List of the POM rows of a version. A worker takes the lease before it changes rows, so that only the last of several
 * workers continues.
 */
export interface PomList {
  readonly v: string;
  readonly k: string;
  /** Lease number. Each lease increases it, and nothing decreases it. */
  readonly claim: number;
  /** Digest of the facts that determine the rows; null if there must be none. */
  readonly digest: string | null;
  /** Packed coordinates of all rows that may exist. */
  readonly poms: Uint8Array;
  /** True if exactly these rows exist. */
  readonly settled: boolean;
}

const listsTable = defineTable<PomList>('reviews');
const itemsTable = defineTable<{ readonly k: string }>('reviews');

/** Sort key before the review state: readers that start at the review state do not need this item. */
export const pomListKey = '#poms';

/** True if the version can need other POMs: only Maven versions do. */
export const hasPoms = (versionKey: string): boolean => versionKey.startsWith('maven#');

/** Review state and POM list of a version. */
export interface KeptPoms {
  readonly v: string;
  readonly head: ReviewState | undefined;
  readonly list: PomList | undefined;
}

/** Returns the review state and POM list of a version. Makes one call. */
export const readPomList = async (v: string): Promise<KeptPoms> => {
  const keys = [reviewStateKey, pomListKey].map((k) => ({ v, k }));
  const items = await batchGet(itemsTable, keys);
  const head = items.find(({ k }) => k === reviewStateKey);
  const list = items.find(({ k }) => k === pomListKey);
  return {
    v,
    head: head && typeItem(reviewStatesTable, { ...head }),
    list: list && typeItem(listsTable, { ...list }),
  };
};

/** Returns the digest of the facts that determine the rows: those by which the gate serves the version. */
const findDigest = ({ head }: KeptPoms): string | null =>
  head && isWhole(head) && head.status === 'approved' ? head.pinned : null;

/** True if the list shows that the rows of a version are up to date. */
export const isSettled = (kept: KeptPoms): boolean => {
  const { digest, settled } = kept.list ?? { digest: null, settled: true };
  return settled && digest === findDigest(kept);
};

/** Returns the coordinates of all rows that a version may have. */
export const readList = ({ list }: KeptPoms): string[] =>
  list ? (unpack(list.poms) as string[]) : [];

/** Returns the checksums of the POMs that a version needs, by coordinates. */
export const findWanted = async (kept: KeptPoms): Promise<ReadonlyMap<string, Checksums>> => {
  const id = parseVersionKey(kept.v);
  const digest = findDigest(kept);
  if (!id || digest === null) return new Map();
  const manifest = (await findRecords([{ ...id, digest }])).get(kept.v)?.manifest;
  if (manifest?.kind !== 'maven') return new Map();
  const poms = [...manifest.boms, ...manifest.parents];
  return new Map(poms.map(({ coordinates, checksums }) => [coordinates, checksums]));
};

/** Error of a lease that another worker took, or of a review state that changed. */
export class PomsLeasedError extends Error {
  override readonly name = 'PomsLeasedError';
}

const refuse = (): Error => new PomsLeasedError('Another worker lists the POMs of this version');

/** Returns the condition that the lease of a list is unchanged, or that there is still no list. */
const isClaimed = (list: PomList | undefined): Guard<PomList> => ({
  ...ifUnchanged(list, ['claim']),
  refuse,
});

/** Returns the list with the next lease number. */
export const makeList = (
  kept: KeptPoms,
  { poms, settled }: { readonly poms: readonly string[]; readonly settled: boolean },
): PomList => ({
  ...{ v: kept.v, k: pomListKey, claim: (kept.list?.claim ?? 0) + 1 },
  ...{ digest: findDigest(kept), poms: pack(poms), settled },
});

/** Returns the write that replaces a list, if its lease is unchanged. */
export const putList = (list: PomList, seen: PomList | undefined): Write =>
  putItem(listsTable, list, isClaimed(seen));

/** Returns the check that no other worker has taken the lease. */
export const checkLease = ({ v, list }: Pick<KeptPoms, 'v' | 'list'>): Write =>
  checkItem(listsTable, { v, k: pomListKey }, isClaimed(list));

/**
 * Returns the check that the review state is unchanged. Each change of it starts a worker, which then sees the lease.
 */
export const checkReviewState = ({ v, head }: KeptPoms): Write =>
  checkItem(
    reviewStatesTable,
    { v, k: reviewStateKey },
    { ...ifUnchanged(head, ['v', 'revision', 'status', 'pinned']), refuse },
  );

/** True if a version has exactly the rows that it needs, and its list is up to date. */
export const hasRightPoms = async (versionKey: string): Promise<boolean> => {
  const kept = await readPomList(versionKey);
  if (!isSettled(kept)) return false;
  const wanted = await findWanted(kept);
  if (!isDeepStrictEqual(new Set(readList(kept)), new Set(wanted.keys()))) return false;
  const keys = [...wanted.keys()].map((coordinates) => toPomRowKey(coordinates, versionKey));
  const rows = await batchGet(pomRowsTable, keys);
  const found = new Map(rows.map((row) => [readCoordinates(row), row.checksums]));
  return isDeepStrictEqual(found, new Map(wanted));
};
