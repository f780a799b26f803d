import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import { groupBy } from '../../util/group-by.ts';
import { maxPackedBytes, pack, unpack } from '../dynamodb/pack.ts';
import { queryItems, type Range, type ReadOptions } from '../dynamodb/read.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import {
  type ContentPart,
  contentsTable,
  type RefId,
  toContentPartition,
} from './project-items.ts';

/** Versions in stored form: paths once, and for each version the indexes of its files. */
interface StoredVersions {
  readonly files: readonly string[];
  readonly versions: readonly (readonly [
    ecosystem: SnapshotVersion['ecosystem'],
    name: string,
    version: string,
    /** 1 for a direct version, 0 for a transitive one; null if it is not known. */
    direct: 0 | 1 | null,
    ...files: number[],
  ])[];
}

const toStored = (versions: readonly SnapshotVersion[]): StoredVersions => {
  const files = [...new Set(versions.flatMap((one) => one.files))];
  const places = new Map(files.map((file, at) => [file, at]));
  return {
    files,
    versions: versions.map(({ ecosystem, name, version, direct, ...one }) => [
      ecosystem,
      name,
      version,
      direct === null ? null : direct ? 1 : 0,
      ...one.files.flatMap((file) => places.get(file) ?? []),
    ]),
  };
};

const fromStored = ({ files, versions }: StoredVersions): SnapshotVersion[] =>
  versions.map(([ecosystem, name, version, direct, ...places]) => ({
    ...{ ecosystem, name, version, direct: direct === null ? null : direct === 1 },
    files: places.flatMap((at) => files[at] ?? []),
  }));

/** Returns the versions in as many packed parts as necessary, each of which fits into an item. */
const packParts = (versions: readonly SnapshotVersion[]): Buffer[] => {
  const packed = pack(toStored(versions));
  if (packed.length <= maxPackedBytes || versions.length <= 1) return [packed];
  const middle = Math.ceil(versions.length / 2);
  return [versions.slice(0, middle), versions.slice(middle)].flatMap(packParts);
};

/** Separates the id of a content from the number of the part, which has two digits. */
const separator = '#';

const toPartKey = (content: string, part: number): string =>
  `${content}${separator}${String(part).padStart(2, '0')}`;

/** Returns the id of the content that a part belongs to. */
export const readContentId = ({ k }: ContentPart): string => k.slice(0, k.indexOf(separator));

/** Returns the writes that put the content of a snapshot. */
export const putContent = (
  id: RefId,
  content: string,
  versions: readonly SnapshotVersion[],
): Write[] => {
  const parts = packParts(versions);
  return parts.map((packed, part) =>
    putItem(contentsTable, {
      ...{ p: toContentPartition(id), k: toPartKey(content, part) },
      ...{ of: parts.length, packed },
    }),
  );
};

/** Returns the versions in one part of a content. */
export const unpackPart = ({ packed }: Pick<ContentPart, 'packed'>): SnapshotVersion[] =>
  fromStored(unpack(packed) as StoredVersions);

/**
 * Returns the versions of a content; undefined unless all its parts are there and can be read. So a new recording replaces a
 * damaged content, and a removal removes it.
 */
const unpackParts = (parts: readonly ContentPart[]): SnapshotVersion[] | undefined => {
  if (parts.length === 0 || parts.length !== parts[0]?.of) return undefined;
  try {
    return parts.flatMap(unpackPart);
  } catch {
    return undefined;
  }
};

/** Stored content of a ref: its versions, undefined if some parts are missing or damaged, and the number of parts. */
export interface StoredContent {
  readonly versions: readonly SnapshotVersion[] | undefined;
  readonly parts: readonly ContentPart[];
}

/** Returns all contents of a ref by id: that of the current snapshot, and what an interrupted write left. */
export const readContents = async (id: RefId): Promise<ReadonlyMap<string, StoredContent>> => {
  const parts = await queryItems(contentsTable, {
    KeyConditionExpression: 'p = :ref',
    ExpressionAttributeValues: { ':ref': toContentPartition(id) },
  });
  return new Map(
    [...groupBy(parts, readContentId)].map(([content, own]) => [
      content,
      { versions: unpackParts(own), parts: own },
    ]),
  );
};

/** Returns the versions of a content, by default with eventually consistent reads; undefined if it is no longer stored, or damaged. */
export const findContent = async (
  id: RefId,
  content: string,
  { eventual = true }: ReadOptions = {},
): Promise<readonly SnapshotVersion[] | undefined> => {
  const range: Range = {
    KeyConditionExpression: 'p = :ref AND begins_with(k, :content)',
    ExpressionAttributeValues: {
      ':ref': toContentPartition(id),
      ':content': `${content}${separator}`,
    },
    ConsistentRead: !eventual,
  };
  return unpackParts(await queryItems(contentsTable, range));
};

/** Returns the writes that delete contents. */
export const deleteContents = (contents: Iterable<StoredContent>): Write[] =>
  [...contents].flatMap(({ parts }) =>
    parts.map(({ p, k }) => deleteItem(contentsTable, { p, k })),
  );
