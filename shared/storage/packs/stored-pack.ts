import type { PackageName } from '../../domain/packages/package-id.ts';
import { logEvent } from '../../util/log.ts';
import { queryItems } from '../dynamodb/read.ts';
import {
  beforeSegments,
  isList,
  isMark,
  isPackHead,
  type ListedVersion,
  type PackHead,
  type PackMark,
  type PackPart,
  packFormat,
  packItemsTable,
  type RecentEntries,
  toListKey,
  toPackPartition,
  unpackPart,
  unpackRecent,
} from './pack-items.ts';

/** The stored items of a pack, without its segments. */
export interface StoredPack {
  readonly head: PackHead | undefined;
  readonly marks: readonly PackMark[];
  readonly lists: readonly PackPart[];
}

/** A pack with what its head names besides segments. */
export interface ReadablePack extends StoredPack {
  readonly head: PackHead;
  readonly recent: RecentEntries;
  /** Approved versions in segments. */
  readonly listed: readonly ListedVersion[];
}

/** Returns the stored items of a pack without its segments, with strongly consistent reads. */
export const readStoredPack = async (of: PackageName): Promise<StoredPack> => {
  const items = await queryItems(packItemsTable, {
    KeyConditionExpression: 'v = :pack AND k < :end',
    ExpressionAttributeValues: { ':pack': toPackPartition(of), ':end': beforeSegments },
  });
  return {
    head: items.find(isPackHead),
    marks: items.filter(isMark),
    lists: items.filter(isList),
  };
};

const unpackList = (
  { v, list }: PackHead,
  lists: readonly PackPart[],
): readonly ListedVersion[] => {
  if (!list) return [];
  const { k } = toListKey(v, list);
  const part = lists.find((one) => one.k === k);
  if (!part) throw new Error('The list of a pack is missing');
  return unpackPart(list, part) as readonly ListedVersion[];
};

/** Returns what a stored head names; undefined if it is missing, unreadable, or of another format. */
export const unpackStored = (of: PackageName, stored: StoredPack): ReadablePack | undefined => {
  const { head, lists } = stored;
  if (!head || head.format !== packFormat) return undefined;
  try {
    return { ...stored, head, recent: unpackRecent(head), listed: unpackList(head, lists) };
  } catch (error) {
    logEvent('error', 'pack_unreadable', { ...of, error });
    return undefined;
  }
};
