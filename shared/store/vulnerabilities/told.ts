import { maxPackedBytes, pack, unpack } from '../pack.ts';
import type { KeyedItem } from '../reviews/review-file.ts';
import { defineTable, typeItem } from '../table.ts';
import { checkItem, deleteItem, isAsSeen, putItem, type Write } from '../write.ts';
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

/** These sort behind all that a version's picture is read from. */
/** Where it stands among what is kept of a version. */
export const toldKey = 'told';
const partPrefix = 'told#';
const openPrefix = 'told-';
export const lastToldKey = 'told~';

/** Whether an item is of what is told of a version. */
export const isTold = ({ k }: KeyedItem): boolean => k.startsWith(toldKey);

/** What was listed of a version, and what of it may not be there yet. */
export interface Told {
  readonly claim: number;
  readonly parts: number;
  readonly openParts: number;
  readonly picture: ToldPicture | undefined;
  readonly openIds: readonly string[];
}

/** A version that was never listed. */
const untold: Told = { claim: 0, parts: 0, openParts: 0, picture: undefined, openIds: [] };

const join = (items: readonly KeyedItem[], prefix: string): unknown => {
  const parts = items
    .filter(({ k }) => k.startsWith(prefix))
    .map((item) => typeItem(partsTable, { ...item }).bytes);
  return parts.length > 0 ? unpack(Buffer.concat(parts)) : undefined;
};

/** What the items of a version say of what is listed of it. */
export const toTold = (items: readonly KeyedItem[]): Told => {
  const item = items.find(({ k }) => k === toldKey);
  if (!item) return untold;
  const { claim, parts, openParts } = typeItem(toldTable, { ...item });
  return {
    ...{ claim, parts, openParts },
    picture: join(items, partPrefix) as ToldPicture | undefined,
    openIds: (join(items, openPrefix) as string[] | undefined) ?? [],
  };
};

const toPartKey = (v: string, prefix: string, at: number) => ({
  v,
  k: `${prefix}${String(at).padStart(2, '0')}`,
});

const split = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / maxPackedBytes) }, (_, at) =>
    bytes.subarray(at * maxPackedBytes, (at + 1) * maxPackedBytes),
  );

/** Puts a value in place of another one that took so many parts. */
const putParts = (
  v: string,
  prefix: string,
  { parts, before }: { readonly parts: readonly Buffer[]; readonly before: number },
): Write[] => [
  ...parts.map((bytes, at) => putItem(partsTable, { ...toPartKey(v, prefix, at), bytes })),
  ...Array.from({ length: Math.max(0, before - parts.length) }, (_, at) =>
    deleteItem(partsTable, toPartKey(v, prefix, parts.length + at)),
  ),
];

/** Another worker lists the version, by what it read later. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

const refuse = (): Error => new ClaimLostError('Another worker lists this version');

const isClaimed = (told: Told) => ({
  ...isAsSeen(told.claim > 0 ? { claim: told.claim } : undefined, ['claim']),
  refuse,
});

/** Claims a version, of which a picture is to be listed under these ids. */
export const claimTold = (
  v: string,
  told: Told,
  { picture, ids }: { readonly picture: ToldPicture | undefined; readonly ids: readonly string[] },
): { readonly told: Told; readonly writes: Write[] } => {
  const parts = picture ? split(pack(picture)) : [];
  const openParts = split(pack(ids));
  const claimed = {
    claim: told.claim + 1,
    parts: parts.length,
    openParts: openParts.length,
    picture,
    openIds: ids,
  };
  return {
    told: claimed,
    writes: [
      putItem(toldTable, toItem(v, claimed), isClaimed(told)),
      ...putParts(v, partPrefix, { parts, before: told.parts }),
      ...putParts(v, openPrefix, { parts: openParts, before: told.openParts }),
    ],
  };
};

const toItem = (v: string, { claim, parts, openParts }: Told): ToldItem => ({
  ...{ v, k: toldKey, claim, parts, openParts },
});

/** Notes that all is listed that is told of a version. */
export const closeTold = (v: string, told: Told): Write[] => [
  putItem(toldTable, toItem(v, { ...told, openParts: 0 }), isClaimed(told)),
  ...putParts(v, openPrefix, { parts: [], before: told.openParts }),
];

/** Holds while nobody else has claimed a version. */
export const checkClaim = (v: string, told: Told): Write =>
  checkItem(toldTable, { v, k: toldKey }, isClaimed(told));
