import { type PackageName, toVersionKey } from '../../domain/packages/package-id.ts';
import { hasExpired } from '../../domain/review/expiry.ts';
import { logEvent } from '../../util/log.ts';
import { batchGet, queryPage } from '../dynamodb/read.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { toItemKey } from '../packages/version-keys.ts';
import {
  beforeLists,
  beforeSegments,
  isMark,
  isPackHead,
  type ListedVersion,
  type PackHead,
  type PackPart,
  packFormat,
  packItemsTable,
  packPartsTable,
  type RecentEntries,
  readMarkedKey,
  toPackPartition,
  toSegmentKey,
  unpackList,
  unpackPart,
  unpackRecent,
} from './pack-items.ts';
import {
  type ApprovedFields,
  mergeEntries,
  type PackEntry,
  toApprovedFields,
} from './packed-version.ts';

/** State of a package's approved versions, as its pack has it. */
export interface Pack extends RecentEntries {
  readonly of: PackageName;
  /** Undefined for a package without any approval. */
  readonly head: PackHead | undefined;
  /** Keys of versions that changed after the pack was written. */
  readonly marked: readonly string[];
  /** Approved versions in segments; undefined unless they were requested. */
  readonly listed: readonly ListedVersion[] | undefined;
}

/** Most marked versions that a reader adds to a pack. With more, reading all versions costs as much. */
const mostMarked = 50;

/** Most read units of the marks and the head, and of these with the list of a package. */
const headUnits = 8;
const listUnits = 16;

/** Runs the work. Logs an error, and returns undefined: an unreadable pack is not used. */
export const tryToRead = <Result>(of: PackageName, work: () => Result): Result | undefined => {
  try {
    return work();
  } catch (error) {
    logEvent('error', 'pack_unreadable', { ...of, error });
    return undefined;
  }
};

/**
 * Returns the pack of a package without its segments: one call, and one read unit for a usual package. Returns undefined for
 * a pack that readers may not use: it is unreadable or too large, or too many versions changed after it.
 * @param hint reads the list of versions too, with an eventually consistent read
 */
export const findPack = async (
  of: PackageName,
  { hint = false }: { readonly hint?: boolean } = {},
): Promise<Pack | undefined> => {
  const range = {
    KeyConditionExpression: 'v = :pack AND k < :end',
    ExpressionAttributeValues: {
      ':pack': toPackPartition(of),
      ':end': hint ? beforeSegments : beforeLists,
    },
    ConsistentRead: !hint,
  };
  const bounds = { limit: mostMarked + 3, mostUnits: hint ? listUnits : headUnits };
  const { items, next } = await queryPage(packItemsTable, range, bounds);
  const marked = items.filter(isMark).map(readMarkedKey);
  const head = items.find(isPackHead);
  // Each decision marks its version, so that a package without both has no approved version.
  if (items.length === 0) {
    return { of, head, marked, entries: [], optional: [], listed: [] };
  }
  if (!head || head.format !== packFormat || head.isTooLarge) return undefined;
  if (next || marked.length > mostMarked) return undefined;
  return tryToRead(of, () => ({
    ...{ of, head, marked },
    ...unpackRecent(head),
    listed: hint ? unpackList(head, items) : undefined,
  }));
};

/** True if nothing changed after a pack was written, and no approval in it has expired. */
export const isCurrent = ({ head, marked }: Pack, now: Date): boolean => {
  const { first_expiry = null } = head ?? {};
  return marked.length === 0 && (first_expiry === null || now.getTime() < Date.parse(first_expiry));
};

const unitBytes = 4096;

/** Returns the entries of segments, oldest first; undefined if one is missing or unreadable. */
export const readSegments = async (
  of: PackageName,
  { v, segments }: Pick<PackHead, 'v' | 'segments'>,
): Promise<readonly PackEntry[] | undefined> => {
  const unitsAnItem = Math.ceil(
    Math.max(0, ...segments.map(({ bytes }) => bytes + 200)) / unitBytes,
  );
  const read = (refs: PackHead['segments'], eventual: boolean): Promise<PackPart[]> => {
    const keys = refs.map((ref) => toSegmentKey(v, ref));
    return batchGet(packPartsTable, keys, { eventual, unitsAnItem });
  };
  const found = new Map((await read(segments, true)).map((part) => [part.k, part]));
  const late = segments.filter((ref) => !found.has(toSegmentKey(v, ref).k));
  // A new segment may be younger than an eventually consistent read.
  for (const part of await read(late, false)) found.set(part.k, part);
  return tryToRead(of, () =>
    segments.flatMap((ref) => {
      const part = found.get(toSegmentKey(v, ref).k);
      if (!part) throw new Error('A segment of a pack is missing');
      return unpackPart(ref, part) as readonly PackEntry[];
    }),
  );
};

/** Returns the stored fields of versions by version key. A version that is not approved has none. */
export const readApproved = async (
  keys: readonly string[],
): Promise<ReadonlyMap<string, ApprovedFields>> => {
  const ids = keys.flatMap((key) => parseVersionKey(key) ?? []);
  const items: readonly PackageItem[] = await batchGet(packagesTable, ids.map(toItemKey));
  return new Map(
    items
      .filter(({ status }) => status === 'approved')
      .map((item) => [toVersionKey(item), toApprovedFields(item)]),
  );
};

/**
 * Returns the versions of a pack that are approved at a time, newest first, with changes after the pack was written. Returns
 * undefined if a part of the pack is unreadable. Costs one call for the segments, and one for changed versions.
 */
export const readPack = async (
  { of, head, entries, marked }: Pack,
  now: Date,
): Promise<readonly NonNullable<PackEntry[1]>[] | undefined> => {
  const [older, changed] = await Promise.all([
    head ? readSegments(of, head) : [],
    readApproved(marked),
  ]);
  if (!older) return undefined;
  const newest = marked.map((key) => [key, changed.get(key) ?? null] as const);
  return mergeEntries(older, entries, newest)
    .flatMap(([, version]) => (version ? [version] : []))
    .filter(({ expires_at }) => !hasExpired({ status: 'approved', expires_at }, now))
    .reverse();
};

/**
 * Returns the pinned versions of a package that are approved at a time, newest first, from a pack with its list. Returns
 * undefined if the list is unknown, or if a version changed after the pack was written.
 */
export const listPinnedIn = (
  { marked, entries, listed }: Pack,
  now: Date,
): readonly string[] | undefined => {
  if (!listed || marked.length > 0) return undefined;
  const recent = new Map(entries);
  const older = listed.filter(([key]) => !recent.has(key));
  const versions = [
    ...older.map(([, version, expires_at, pinned]) => ({ version, expires_at, pinned })),
    ...entries.flatMap(([, version]) => (version ? [version] : [])),
  ];
  return versions
    .filter(({ pinned }) => Boolean(pinned))
    .filter(({ expires_at }) => !hasExpired({ status: 'approved', expires_at }, now))
    .map(({ version }) => version);
};
