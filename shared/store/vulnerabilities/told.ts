import type { Deadline } from '../../deadline.ts';
import { maxPackedBytes, pack, unpack } from '../pack.ts';
import type { KeyedItem } from '../reviews/review-file.ts';
import { defineTable, typeItem } from '../table.ts';
import { makeWriteId, transact } from '../transact.ts';
import { checkItem, deleteItem, isAsSeen, putItem, type Write } from '../write.ts';
import { deleteAlone, putAlone } from '../write-alone.ts';
import type { ToldPicture } from './picture.ts';

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
  /** Of how many the ids take that may not be listed as told yet. */
  readonly openParts: number;
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
export const toldKey = 'told';
export const lastToldKey = 'told~';

/** Whether an item is of what is told of a version. */
export const isTold = ({ k }: KeyedItem): boolean => k.startsWith(toldKey);

/** What was listed of a version, and what of it may not be there yet. */
export interface Told {
  readonly claim: number;
  readonly picture: ToldPicture | undefined;
  readonly openIds: readonly string[];
  /** Whether all its parts were there: some are lost, or another claim came while they were read. */
  readonly isWhole: boolean;
  /** The keys of all parts that there are, also of claims that never held. */
  readonly partKeys: readonly string[];
}

const toPrefixes = (set: string) => ({ picture: `${toldKey}#${set}#`, open: `${toldKey}-${set}#` });

/** What parts hold together; undefined where some are missing, or none are meant. */
const join = (items: readonly KeyedItem[], prefix: string, count: number): unknown => {
  const parts = items
    .filter(({ k }) => k.startsWith(prefix))
    .map((item) => typeItem(partsTable, { ...item }).bytes);
  return count > 0 && parts.length === count ? unpack(Buffer.concat(parts)) : undefined;
};

/** What the items of a version say of what is listed of it. */
export const toTold = (items: readonly KeyedItem[]): Told => {
  const item = items.find(({ k }) => k === toldKey);
  const partKeys = items.map(({ k }) => k).filter((k) => k !== toldKey);
  if (!item) return { claim: 0, picture: undefined, openIds: [], isWhole: true, partKeys };
  const { claim, set, parts, openParts } = typeItem(toldTable, { ...item });
  const prefixes = toPrefixes(set);
  const picture = join(items, prefixes.picture, parts) as ToldPicture | undefined;
  const openIds = join(items, prefixes.open, openParts) as string[] | undefined;
  return {
    ...{ claim, picture, partKeys },
    openIds: openIds ?? [],
    isWhole: Boolean(picture) === parts > 0 && Boolean(openIds) === openParts > 0,
  };
};

const split = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / maxPackedBytes) }, (_, at) =>
    bytes.subarray(at * maxPackedBytes, (at + 1) * maxPackedBytes),
  );

const makeParts = (v: string, prefix: string, value: unknown): PartItem[] =>
  value === undefined
    ? []
    : split(pack(value)).map((bytes, at) => ({
        ...{ v, bytes },
        k: `${prefix}${String(at).padStart(2, '0')}`,
      }));

const deleteParts = async (v: string, keys: readonly string[]): Promise<void> => {
  await Promise.all(keys.map((k) => deleteAlone(deleteItem(partsTable, { v, k }))));
};

/** Another worker lists the version, by what it read later. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

const refuse = (): Error => new ClaimLostError('Another worker lists this version');

const isClaimed = ({ claim }: Pick<Told, 'claim'>) => ({
  ...isAsSeen(claim > 0 ? { claim } : undefined, ['claim']),
  refuse,
});

/** A version that is claimed. */
export interface Claimed {
  readonly v: string;
  readonly claim: number;
  /** Has it count as listed: nothing of it is open any more. */
  readonly close: (deadline: Deadline) => Promise<void>;
}

/**
 * Claims a version, of which a picture is to be listed under these ids. Until the claim holds its parts mean nothing;
 * where it never does, the next one takes them away.
 * @throws {ClaimLostError} where another worker has claimed it since it was read
 */
export const claimTold = async (
  v: string,
  told: Told,
  { picture, ids }: { readonly picture: ToldPicture | undefined; readonly ids: readonly string[] },
  deadline: Deadline,
): Promise<Claimed> => {
  const set = makeWriteId();
  const prefixes = toPrefixes(set);
  const parts = makeParts(v, prefixes.picture, picture);
  const openParts = makeParts(v, prefixes.open, ids);
  await Promise.all([...parts, ...openParts].map((part) => putAlone(putItem(partsTable, part))));
  const claim = told.claim + 1;
  const item = { v, k: toldKey, claim, set, parts: parts.length, openParts: openParts.length };
  await transact([putItem(toldTable, item, isClaimed(told))], deadline);
  // Whoever wrote one of these had not claimed the version when they were read, and cannot by now.
  await deleteParts(v, told.partKeys);
  const close = async (before: Deadline): Promise<void> => {
    await transact([putItem(toldTable, { ...item, openParts: 0 }, isClaimed({ claim }))], before);
    await deleteParts(
      v,
      openParts.map(({ k }) => k),
    );
  };
  return { v, claim, close };
};

/** Holds while nobody else has claimed a version. */
export const checkClaim = (claimed: Claimed): Write =>
  checkItem(toldTable, { v: claimed.v, k: toldKey }, isClaimed(claimed));
