import type { Deadline } from '../../util/deadline.ts';
import { maxPackedBytes, pack, unpack } from '../dynamodb/pack.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { makeWriteId, transact } from '../dynamodb/transact.ts';
import { checkItem, deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { deleteListingDue, moveListingDue } from '../reviews/listing-due.ts';
import type { KeyedItem } from '../reviews/review-file.ts';
import type { StoredMergedScan } from './merged-scan-row.ts';

/**
 * How far the listing of a version has come. Whoever lists it claims it first, so that of several workers only the last
 * one goes on.
 */
interface ToldItem {
  readonly v: string;
  readonly k: string;
  /** Raised with each claim, and never set back. */
  readonly claim: number;
  /** Which parts are meant: each claim writes its own before it holds, since all at once are too much for a transaction. */
  readonly set: string;
  /** Of how many items what is told takes. */
  readonly parts: number;
  /** Of how many the ids take that were not listed as told when the set was put. */
  readonly openParts: number;
  /** How many of these ids are listed by now, the first ones. */
  readonly listed: number;
  /** The time of the row by which the clock goes on with the others; null where it does not. */
  readonly due_at: string | null;
}

/** A part of what is packed. */
interface PartItem {
  readonly v: string;
  readonly k: string;
  readonly bytes: Uint8Array;
}

const toldTable = defineTable<ToldItem>('reviews');
const partsTable = defineTable<PartItem>('reviews');

/** Where it stands among what is kept of a version: behind all that a picture is made of, and before its parts. */
export const checkpointKey = 'told';
export const lastCheckpointKey = 'told~';

/** Whether an item is of what is told of a version. */
export const isIndexed = ({ k }: KeyedItem): boolean => k.startsWith(checkpointKey);

/** What was listed of a version, and what of it may not be there yet. */
export interface IndexCheckpoint {
  readonly claim: number;
  readonly picture: StoredMergedScan | undefined;
  readonly openIds: readonly string[];
  /** The time of the row by which the clock goes on with these; null where there is none. */
  readonly dueAt: string | null;
  /** Whether all its parts were there: some are lost, or another claim came while they were read. */
  readonly isWhole: boolean;
  /** The keys of all parts that there are, also of claims that never held. */
  readonly partKeys: readonly string[];
  /** How that is stored; undefined where the version never was listed. */
  readonly item: ToldItem | undefined;
}

const toPrefixes = (set: string) => ({
  picture: `${checkpointKey}#${set}#`,
  open: `${checkpointKey}-${set}#`,
});

/** What parts hold together; undefined where some are missing, or none are meant. */
const join = (items: readonly KeyedItem[], prefix: string, count: number): unknown => {
  const parts = items
    .filter(({ k }) => k.startsWith(prefix))
    .map((item) => typeItem(partsTable, { ...item }).bytes);
  return count > 0 && parts.length === count ? unpack(Buffer.concat(parts)) : undefined;
};

/** What the items of a version say of what is listed of it. */
export const toIndexCheckpoint = (items: readonly KeyedItem[]): IndexCheckpoint => {
  const found = items.find(({ k }) => k === checkpointKey);
  const partKeys = items.map(({ k }) => k).filter((k) => k !== checkpointKey);
  if (!found) {
    const nothing = { claim: 0, picture: undefined, openIds: [], dueAt: null, isWhole: true };
    return { ...nothing, partKeys, item: undefined };
  }
  const item = typeItem(toldTable, { ...found });
  const { claim, set, parts, openParts, listed, due_at } = item;
  const prefixes = toPrefixes(set);
  const picture = join(items, prefixes.picture, parts) as StoredMergedScan | undefined;
  const openIds = join(items, prefixes.open, openParts) as string[] | undefined;
  return {
    ...{ claim, picture, partKeys, item, dueAt: due_at },
    openIds: openIds?.slice(listed) ?? [],
    isWhole: Boolean(picture) === parts > 0 && Boolean(openIds) === openParts > 0,
  };
};

const split = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / maxPackedBytes) }, (_, at) =>
    bytes.subarray(at * maxPackedBytes, (at + 1) * maxPackedBytes),
  );

const toPartKey = (prefix: string, at: number): string => `${prefix}${String(at).padStart(2, '0')}`;

const makeParts = (v: string, prefix: string, value: unknown): PartItem[] =>
  value === undefined
    ? []
    : split(pack(value)).map((bytes, at) => ({ ...{ v, bytes }, k: toPartKey(prefix, at) }));

const deleteParts = async (v: string, keys: readonly string[]): Promise<void> => {
  await Promise.all(keys.map((k) => deleteAlone(deleteItem(partsTable, { v, k }))));
};

/** Another worker lists the version, by what it read later. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const refuse = (): Error => new LeaseLostError('Another worker lists this version');

const isClaimed = ({ claim }: Pick<IndexCheckpoint, 'claim'>) => ({
  ...ifUnchanged(claim > 0 ? { claim } : undefined, ['claim']),
  refuse,
});

/** A version that is claimed. */
export interface Claimed {
  readonly v: string;
  readonly claim: number;
  /** Notes that so many of the ids are listed, the first ones: whoever goes on begins behind them. */
  readonly keepPlace: (listed: number) => Promise<void>;
  /** Has it count as listed: nothing of it is open any more. */
  readonly close: (deadline: Deadline) => Promise<void>;
}

/** Claims a version by an item, unless another worker has claimed it since it was read. */
const putClaim = async (
  told: IndexCheckpoint,
  item: ToldItem,
  deadline: Deadline,
): Promise<Claimed> => {
  const { v, claim, set, openParts, due_at } = item;
  await transact(
    [putItem(toldTable, item, isClaimed(told)), ...moveListingDue(v, told.dueAt, due_at)],
    deadline,
  );
  const isOurs = isClaimed({ claim });
  return {
    ...{ v, claim },
    keepPlace: (listed) =>
      putAlone(putItem(toldTable, { ...item, listed: item.listed + listed }, isOurs)),
    close: async (before) => {
      const closed = { ...item, openParts: 0, listed: 0, due_at: null };
      await transact(
        [putItem(toldTable, closed, isOurs), ...moveListingDue(v, due_at, null)],
        before,
      );
      const { open } = toPrefixes(set);
      await deleteParts(
        v,
        Array.from({ length: openParts }, (_, at) => toPartKey(open, at)),
      );
    },
  };
};

/** What is to be listed of a version. */
interface Intent {
  readonly picture: StoredMergedScan | undefined;
  readonly ids: readonly string[];
  /** The time of the row by which the clock goes on with what is left; null for none. */
  readonly dueAt: string | null;
}

/**
 * Claims a version, of which a picture is to be listed under these ids. Until the claim holds its parts mean nothing;
 * where it never does, the next one takes them away.
 * @throws {LeaseLostError} where another worker has claimed it since it was read
 */
export const leaseIndexing = async (
  v: string,
  told: IndexCheckpoint,
  { picture, ids, dueAt }: Intent,
  deadline: Deadline,
): Promise<Claimed> => {
  const set = makeWriteId();
  const prefixes = toPrefixes(set);
  const parts = makeParts(v, prefixes.picture, picture);
  const openParts = makeParts(v, prefixes.open, ids);
  await Promise.all([...parts, ...openParts].map((part) => putAlone(putItem(partsTable, part))));
  const counts = { parts: parts.length, openParts: openParts.length, listed: 0 };
  const item = { v, k: checkpointKey, claim: told.claim + 1, set, ...counts, due_at: dueAt };
  const claimed = await putClaim(told, item, deadline);
  // Whoever wrote one of these had not claimed the version when they were read, and cannot by now.
  await deleteParts(v, told.partKeys);
  return claimed;
};

/**
 * Claims a version to go on with its open ids, where what is told of it stays as it is: that costs one small item.
 * @throws {LeaseLostError} where another worker has claimed it since it was read
 */
export const resumeIndexing = (
  told: IndexCheckpoint,
  item: ToldItem,
  { dueAt, deadline }: { readonly dueAt: string | null; readonly deadline: Deadline },
): Promise<Claimed> => putClaim(told, { ...item, claim: told.claim + 1, due_at: dueAt }, deadline);

/** Holds while nobody else has claimed a version. */
export const checkLease = ({ v, claim }: Pick<Claimed, 'v' | 'claim'>): Write =>
  checkItem(toldTable, { v, k: checkpointKey }, isClaimed({ claim }));

/**
 * Takes away a row by which nothing of a version is gone on with.
 * @throws {LeaseLostError} where another worker has claimed it since it was read
 */
export const dropStrayDue = (
  v: string,
  { claim }: IndexCheckpoint,
  { due_at, deadline }: { readonly due_at: string; readonly deadline: Deadline },
): Promise<void> => transact([checkLease({ v, claim }), deleteListingDue(v, due_at)], deadline);
