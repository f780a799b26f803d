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
 * Under which POMs a version has rows. Whoever changes these claims it first, so that of several workers only the last
 * one goes on.
 */
export interface PomList {
  readonly v: string;
  readonly k: string;
  /** Raised with each claim, and never set back. */
  readonly claim: number;
  /** The facts that the rows follow from; null where there are to be none. */
  readonly digest: string | null;
  /** The coordinates of all rows that there may be. */
  readonly poms: Uint8Array;
  /** Whether there are exactly these. */
  readonly settled: boolean;
}

const listsTable = defineTable<PomList>('reviews');
const itemsTable = defineTable<{ readonly k: string }>('reviews');

/** Before the head: who reads a version from its head on has no use for it. */
export const pomListKey = '#poms';

/** Only versions of Maven lean on others so. */
export const hasPoms = (versionKey: string): boolean => versionKey.startsWith('maven#');

/** What the rows of a version are to follow from, and what they follow from. */
export interface KeptPoms {
  readonly v: string;
  readonly head: ReviewState | undefined;
  readonly list: PomList | undefined;
}

/** One call. */
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

/** The facts that the rows are to follow from: those that the gate serves the version by. */
const findDigest = ({ head }: KeptPoms): string | null =>
  head && isWhole(head) && head.status === 'approved' ? head.pinned : null;

/** Whether there is nothing to do for a version, as far as its list tells. */
export const isSettled = (kept: KeptPoms): boolean => {
  const { digest, settled } = kept.list ?? { digest: null, settled: true };
  return settled && digest === findDigest(kept);
};

/** The coordinates of all rows that a version may have. */
export const readList = ({ list }: KeptPoms): string[] =>
  list ? (unpack(list.poms) as string[]) : [];

/** The POMs that a version is to have rows under. */
export const findWanted = async (kept: KeptPoms): Promise<ReadonlyMap<string, Checksums>> => {
  const id = parseVersionKey(kept.v);
  const digest = findDigest(kept);
  if (!id || digest === null) return new Map();
  const manifest = (await findRecords([{ ...id, digest }])).get(kept.v)?.manifest;
  if (manifest?.kind !== 'maven') return new Map();
  const poms = [...manifest.boms, ...manifest.parents];
  return new Map(poms.map(({ coordinates, checksums }) => [coordinates, checksums]));
};

/** Another worker goes on with the rows of the version, by what it read later. */
export class PomsLeasedError extends Error {
  override readonly name = 'PomsLeasedError';
}

const refuse = (): Error => new PomsLeasedError('Another worker lists the POMs of this version');

const isClaimed = (list: PomList | undefined): Guard<PomList> => ({
  ...ifUnchanged(list, ['claim']),
  refuse,
});

/** The list after the next claim. */
export const makeList = (
  kept: KeptPoms,
  { poms, settled }: { readonly poms: readonly string[]; readonly settled: boolean },
): PomList => ({
  ...{ v: kept.v, k: pomListKey, claim: (kept.list?.claim ?? 0) + 1 },
  ...{ digest: findDigest(kept), poms: pack(poms), settled },
});

/** Puts a list in place of the one that was seen. */
export const putList = (list: PomList, seen: PomList | undefined): Write =>
  putItem(listsTable, list, isClaimed(seen));

/** Holds while nobody else has claimed the version. */
export const checkLease = ({ v, list }: Pick<KeptPoms, 'v' | 'list'>): Write =>
  checkItem(listsTable, { v, k: pomListKey }, isClaimed(list));

/** Holds while the head is as it was read: after each change of it somebody comes, and sees the claim. */
export const checkReviewState = ({ v, head }: KeptPoms): Write =>
  checkItem(
    reviewStatesTable,
    { v, k: reviewStateKey },
    { ...ifUnchanged(head, ['v', 'revision', 'status', 'pinned']), refuse },
  );

/** Whether a version has exactly the rows that it is to have, and its list says so. */
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
