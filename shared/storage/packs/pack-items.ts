import { createHash } from 'node:crypto';
import {
  type PackageId,
  type PackageName,
  toPackageKey,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { defineTable } from '../dynamodb/table.ts';
import { makeWriteId } from '../dynamodb/transact.ts';
import { putItem, type Write } from '../dynamodb/write.ts';
import type { PackageItem } from '../packages/package-item.ts';
import type { PackEntry } from './packed-version.ts';

/**
 * Items of a pack: the approved versions of one package as the gate lists them. All items of a pack are one partition, in the
 * order of these sort keys: marks of changed versions, the head, lists of versions, segments.
 */

/** Partition prefix of packs. No version key begins with `#`. */
const prefix = '#pack#';

export const toPackPartition = ({ ecosystem, name }: PackageName): string =>
  `${prefix}${toPackageKey(ecosystem, name)}`;

/** True if the partition belongs to a pack. */
export const isOfPack = (v: string): boolean => v.startsWith(prefix);

/** Returns the package key of a pack's partition. */
export const readPackageKey = (v: string): string => v.slice(prefix.length);

const markPrefix = 'c#';
export const headKey = 'h';
const listPrefix = 'l#';
const segmentPrefix = 's#';

/** Upper bounds of the sort keys of a pack without its lists, and without its segments. */
export const beforeLists = listPrefix;
export const beforeSegments = segmentPrefix;

/** Mark of a version that was decided or pinned after its pack was written. */
export interface PackMark {
  readonly v: string;
  readonly k: string;
  /** Revision and pin of the version after the change, and a new sequence number: they differ after each further change. */
  readonly state: string;
}

/** Compressed part of a pack. It never changes: a new head names other parts. */
export interface PackPart {
  readonly v: string;
  readonly k: string;
  /** Time of the write, ISO 8601. */
  readonly at: string;
  readonly packed: Uint8Array;
}

/** Reference to a part, with what a reader must know of it. */
export interface PartRef {
  readonly id: string;
  /** Digest of the packed bytes. */
  readonly digest: string;
  readonly bytes: number;
  /** Size of the JSON text in characters. */
  readonly size: number;
}

/** Head of a pack: its newest entries, and references to the parts with the others. */
export interface PackHead {
  readonly v: string;
  readonly k: typeof headKey;
  /** Format of the pack: readers of another format do not use it. */
  readonly format: number;
  /** New with each write: the optimistic lock, and the name of this state of the package. */
  readonly id: string;
  /** Segments, oldest first. An entry of a later segment replaces that of an earlier one. */
  readonly segments: readonly PartRef[];
  /** List of the approved versions in segments; null without segments. */
  readonly list: PartRef | null;
  /** Number of entries in segments that a later entry replaces. */
  readonly replaced: number;
  /**
   * First expiry of an approval, ISO 8601; null if none expires. It is in the past from then on until the registry records the
   * expiry: the clocks of a worker and of the gate may differ.
   */
  readonly first_expiry: string | null;
  /** True if the package has too many approved versions for a pack. */
  readonly isTooLarge: boolean;
  /** Packed `RecentEntries`. */
  readonly recent: Uint8Array;
}

/** Entries that no segment has yet, and names of optional packages. */
export interface RecentEntries {
  readonly entries: readonly PackEntry[];
  /** Names of optional packages of all approved versions; null if they are unknown, or too many. */
  readonly optional: readonly string[] | null;
}

/** Approved version in a list of a pack: key, version, expiry, and true if it is pinned. */
export type ListedVersion = readonly [
  key: string,
  version: string,
  expires_at: string | null,
  isPinned: boolean,
];

export const packFormat = 1;

export const packMarksTable = defineTable<PackMark>('reviews');
export const packHeadsTable = defineTable<PackHead>('reviews');
export const packPartsTable = defineTable<PackPart>('reviews');
export const packItemsTable = defineTable<PackMark | PackHead | PackPart>('reviews');

export const isMark = (item: { readonly k: string }): item is PackMark =>
  item.k.startsWith(markPrefix);
export const isPackHead = (item: { readonly k: string }): item is PackHead => item.k === headKey;
export const isList = (item: { readonly k: string }): item is PackPart =>
  item.k.startsWith(listPrefix);

/** Returns the key of the version that a mark names. */
export const readMarkedKey = ({ k }: PackMark): string => k.slice(markPrefix.length);

export const toHeadKey = (id: PackageName) => ({ v: toPackPartition(id), k: headKey }) as const;
export const toListKey = (v: string, { id }: PartRef) => ({ v, k: `${listPrefix}${id}` });
export const toSegmentKey = (v: string, { id }: PartRef) => ({ v, k: `${segmentPrefix}${id}` });

/** Returns the keys of the parts that a head names. */
export const listParts = ({ v, segments, list }: Pick<PackHead, 'v' | 'segments' | 'list'>) => [
  ...segments.map((ref) => toSegmentKey(v, ref)),
  ...(list ? [toListKey(v, list)] : []),
];

/** True if packages of the ecosystem have packs. The gate lists no images: it only checks those that a cluster names. */
export const hasPacks = ({ ecosystem }: PackageName): boolean => ecosystem !== 'docker';

/**
 * Returns the write that marks a version as changed since its pack was written, in the transaction of the change. No other
 * version writes the same item, so decisions on versions of one package do not conflict.
 * The sequence number is given only for a new one.
 */
export const markVersion = (
  id: PackageId,
  {
    revision,
    pinned = null,
    sequence,
  }: Pick<PackageItem, 'revision' | 'pinned'> & Partial<Pick<PackageItem, 'sequence'>>,
): Write[] =>
  hasPacks(id)
    ? [
        putItem(packMarksTable, {
          v: toPackPartition(id),
          k: `${markPrefix}${toVersionKey(id)}`,
          state: [revision, pinned ?? '', ...(sequence ? [sequence] : [])].join(' '),
        }),
      ]
    : [];

const digestPart = (packed: Uint8Array): string =>
  createHash('sha256').update(packed).digest('base64url').slice(0, 22);

/** Returns a new part with the value, and its reference. */
export const makePart = (value: unknown): { readonly ref: PartRef; readonly packed: Buffer } => {
  const packed = pack(value);
  const size = JSON.stringify(value).length;
  return {
    ref: { id: makeWriteId(), digest: digestPart(packed), bytes: packed.length, size },
    packed,
  };
};

/**
 * Returns the value of a part.
 * @throws {Error} if the bytes are not those that its reference names
 */
export const unpackPart = ({ digest }: PartRef, { packed }: PackPart): unknown => {
  if (digestPart(packed) !== digest) throw new Error('A part of a pack has other bytes');
  return unpack(packed);
};

/**
 * Returns the approved versions in the segments of a head; undefined if their list is not among the items.
 * @throws {Error} if the list is unreadable
 */
export const unpackList = (
  { v, list }: PackHead,
  items: readonly { readonly v: string; readonly k: string }[],
): readonly ListedVersion[] | undefined => {
  if (!list) return [];
  const { k } = toListKey(v, list);
  const part = items.find((item): item is PackPart => isList(item) && item.k === k);
  return part && (unpackPart(list, part) as readonly ListedVersion[]);
};

/**
 * Returns the newest entries of a head.
 * @throws {Error} if they are unreadable
 */
export const unpackRecent = ({ recent }: PackHead): RecentEntries =>
  unpack(recent) as RecentEntries;

/** Returns the rows of entries in a list of approved versions. */
export const toListed = (entries: readonly PackEntry[]): ListedVersion[] =>
  entries.flatMap(([key, version]) =>
    version ? [[key, version.version, version.expires_at, version.pinned !== null] as const] : [],
  );
