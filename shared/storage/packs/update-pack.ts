import { mostOptionalNames } from '../../domain/facts/npm-optional-names.ts';
import type { PackageName } from '../../domain/packages/package-id.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';
import { pack } from '../dynamodb/pack.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findRecords } from '../reviews/facts-items.ts';
import { readApproved, readSegments } from './find-pack.ts';
import {
  hasPacks,
  type ListedVersion,
  type PartRef,
  type RecentEntries,
  readMarkedKey,
  toListed,
} from './pack-items.ts';
import {
  type ApprovedFields,
  listNamesIn,
  mergeEntries,
  type PackEntry,
  toPackedVersion,
} from './packed-version.ts';
import {
  type ReadablePack,
  readAllApproved,
  readStoredPack,
  type StoredPack,
  unpackStored,
} from './stored-pack.ts';
import { maxPackVersions, PackChangedError, type PackContent, writePack } from './write-pack.ts';

/** Longest packed entries in a head, in bytes: a head then costs one strongly consistent read unit. */
const maxRecentBytes = 2800;

/** A segment at least this long is merged only when the whole pack is written again. */
const fullSegmentBytes = 50 * 1024;

/** Returns the entries of versions by their stored fields, with their pinned metadata. */
const makeEntries = async (
  of: PackageName,
  approved: ReadonlyMap<string, ApprovedFields>,
): Promise<PackEntry[]> => {
  const pinned = [...approved.values()].flatMap((fields) =>
    fields.pinned && of.ecosystem !== 'maven'
      ? [{ ecosystem: of.ecosystem, ...fields, digest: fields.pinned }]
      : [],
  );
  const records = await findRecords(pinned);
  return [...approved].map(([key, fields]) => [key, toPackedVersion(fields, records.get(key))]);
};

const findFirstExpiry = (listed: readonly ListedVersion[]): string | null =>
  listed.flatMap(([, , expiry]) => expiry ?? []).sort()[0] ?? null;

const uniteNames = (...lists: readonly (readonly string[] | null)[]): readonly string[] | null => {
  const names = lists.every((list) => list !== null) ? [...new Set(lists.flat())] : null;
  return names && names.length <= mostOptionalNames ? names : null;
};

/** Returns the newest segments that a new one of these bytes replaces, so that lengths at least double from new to old. */
const countMerged = (segments: readonly PartRef[], newBytes: number): number => {
  let sum = newBytes;
  let count = 0;
  for (const { bytes } of segments.toReversed()) {
    if (bytes >= fullSegmentBytes || bytes > 2 * sum) break;
    sum += bytes;
    count += 1;
  }
  return count;
};

/** Returns the content of a pack with these entries alone. */
const makeContent = (entries: readonly PackEntry[]): PackContent => {
  const listed = toListed(entries);
  const common = { replaced: 0, first_expiry: findFirstExpiry(listed), kept: [] };
  const optional = uniteNames(listNamesIn(entries));
  return pack({ entries, optional }).length <= maxRecentBytes
    ? { ...common, entries, optional, merged: [], listed: [] }
    : { ...common, entries: [], optional, merged: entries, listed };
};

/** Returns all approved versions of a package, from the index; undefined if they are too many for a pack. */
const readAllEntries = async (of: PackageName): Promise<readonly PackEntry[] | undefined> => {
  const approved = await readAllApproved(of);
  if (approved.size > maxPackVersions) return undefined;
  return mergeEntries(await makeEntries(of, approved));
};

/** Returns the content of a pack after its newest entries became a segment; undefined if a segment is unreadable. */
const moveRecent = async (
  of: PackageName,
  { head, listed, recent }: ReadablePack,
  { entries, optional }: RecentEntries,
): Promise<Omit<PackContent, 'first_expiry'> | undefined> => {
  const changed = new Set(entries.map(([key]) => key));
  const kept = listed.filter(([key]) => !changed.has(key));
  const replaced = head.replaced + listed.length - kept.length;
  const after = [...kept, ...toListed(entries)];
  const isWhole = replaced > 20 + after.length / 5;
  const count = isWhole ? head.segments.length : countMerged(head.segments, head.recent.length);
  const at = head.segments.length - count;
  const older = await readSegments(of, { v: head.v, segments: head.segments.slice(at) });
  if (!older) return undefined;
  const all = mergeEntries(older, entries);
  const live = at === 0 ? all.filter(([, version]) => version) : all;
  return {
    ...{ entries: [], kept: head.segments.slice(0, at), merged: live, listed: after },
    replaced: at === 0 ? 0 : replaced,
    optional: at === 0 ? uniteNames(listNamesIn(live)) : uniteNames(recent.optional, optional),
  };
};

/** Returns the content of a pack with its marked versions as they are now; undefined if a part is unreadable. */
const addMarked = async (
  of: PackageName,
  stored: ReadablePack,
): Promise<PackContent | undefined> => {
  const { marks, head, recent, listed } = stored;
  const keys = marks.map(readMarkedKey);
  const made = new Map(await makeEntries(of, await readApproved(keys)));
  const inSegments = new Set(listed.map(([key]) => key));
  const changed = keys.map((key): PackEntry => [key, made.get(key) ?? null]);
  const entries = mergeEntries(recent.entries, changed).filter(
    ([key, version]) => version !== null || inSegments.has(key),
  );
  const optional = uniteNames(recent.optional, listNamesIn(changed));
  const isSmall = pack({ entries, optional }).length <= maxRecentBytes;
  const replacing = new Set(entries.map(([key]) => key));
  const all = [...listed.filter(([key]) => !replacing.has(key)), ...toListed(entries)];
  const first_expiry = findFirstExpiry(all);
  if (isSmall) {
    return {
      ...{ entries, optional, first_expiry, listed },
      kept: head.segments,
      replaced: head.replaced,
    };
  }
  const moved = await moveRecent(of, stored, { entries, optional });
  return moved && { ...moved, first_expiry };
};

interface UpdateOptions {
  readonly now: Date;
  /** True to write a pack from all approved versions, even if no version is marked. */
  readonly anew?: boolean;
}

/** True if a marked version is not approved any more, so that a package that was too large may fit. */
const hasFewer = async ({ marks }: StoredPack): Promise<boolean> =>
  (await readApproved(marks.map(readMarkedKey))).size < marks.length;

/** Returns the next content of a pack; undefined if the package has too many approved versions. */
const makeNext = async (
  of: PackageName,
  stored: StoredPack,
  anew: boolean,
): Promise<PackContent | undefined> => {
  if (stored.head?.isTooLarge && !anew && !(await hasFewer(stored))) return undefined;
  const isUsable = !anew && stored.head?.isTooLarge === false;
  const readable = isUsable ? unpackStored(of, stored) : undefined;
  const extended = readable && (await addMarked(of, readable));
  if (extended) return extended;
  const all = await readAllEntries(of);
  return all && makeContent(all);
};

const updateOnce = async (of: PackageName, { now, anew = false }: UpdateOptions): Promise<void> => {
  const stored = await readStoredPack(of);
  if (stored.marks.length === 0 && !anew) return;
  await writePack(of, stored, { content: await makeNext(of, stored, anew), now });
};

/** Attempts while other workers write the same pack. */
const updateRetries = {
  attempts: 8,
  delayMs: exponentialDelay({ firstMs: 30, longestMs: 500 }),
  jitter: 1,
};

/**
 * Brings the pack of a package up to date with its versions that changed. An up-to-date pack costs one read unit. Interrupted work
 * can be repeated, also by several workers at once.
 * @throws {PackChangedError} if other workers wrote the pack in each attempt
 */
export const updatePack = (of: PackageName, options: UpdateOptions): Promise<void> =>
  retry(() => updateOnce(of, options), {
    ...updateRetries,
    isRetryable: (error) => error instanceof PackChangedError,
  });

/** Returns the package of a version key; undefined if no version has this key, or if its package has no pack. */
export const findPackedPackage = (versionKey: string): PackageName | undefined => {
  const id = parseVersionKey(versionKey);
  return id && hasPacks(id) ? { ecosystem: id.ecosystem, name: id.name } : undefined;
};
