import { type PackageName, toVersionKey } from '../../domain/packages/package-id.ts';
import { queryItems } from '../dynamodb/read.ts';
import { listApproved } from '../packages/approved-versions.ts';
import { tryToRead } from './find-pack.ts';
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
  toPackPartition,
  unpackList,
  unpackRecent,
} from './pack-items.ts';
import { type ApprovedFields, toApprovedFields } from './packed-version.ts';

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

/** Returns what a stored head names; undefined if it is missing, unreadable, or of another format. */
export const unpackStored = (of: PackageName, stored: StoredPack): ReadablePack | undefined => {
  const { head, lists } = stored;
  if (!head || head.format !== packFormat) return undefined;
  return tryToRead(of, () => {
    const listed = unpackList(head, lists);
    if (!listed) throw new Error('The list of a pack is missing');
    return { ...stored, head, recent: unpackRecent(head), listed };
  });
};

/** Time before each expiry: a pack has a version until the registry records that its approval expired. */
const beforeAnyExpiry = new Date(0);

/** Returns the fields of all approved versions of a package by version key, from the table of packages. */
export const readAllApproved = async (of: PackageName): Promise<Map<string, ApprovedFields>> => {
  const items = await listApproved(of, beforeAnyExpiry, { eventual: false });
  return new Map(items.map((item) => [toVersionKey(item), toApprovedFields(item)]));
};
