import type { PackageName } from '../../domain/packages/package-id.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { pack } from '../dynamodb/pack.ts';
import { getItem } from '../dynamodb/read.ts';
import { makeWriteId } from '../dynamodb/transact.ts';
import { deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import {
  headKey,
  type ListedVersion,
  listParts,
  makePart,
  type PackHead,
  type PackMark,
  type PartRef,
  packFormat,
  packHeadsTable,
  packMarksTable,
  packPartsTable,
  type RecentEntries,
  toListKey,
  toPackPartition,
  toSegmentKey,
} from './pack-items.ts';
import type { PackEntry } from './packed-version.ts';
import type { StoredPack } from './stored-pack.ts';

/** Another worker changed a pack after it was read. */
export class PackChangedError extends Error {
  override readonly name = 'PackChangedError';
}

/** The new content of a pack. */
export interface PackContent extends RecentEntries {
  /** Unchanged segments, oldest first. */
  readonly kept: readonly PartRef[];
  /** Entries for new segments; undefined to leave the segments and their list as they are. */
  readonly merged?: readonly PackEntry[];
  /** Approved versions in the segments after the write. */
  readonly listed: readonly ListedVersion[];
  readonly replaced: number;
  readonly first_expiry: string | null;
}

/** Largest segment in bytes. */
const maxSegmentBytes = 100 * 1024;

/**
 * Limits of a pack: approved versions, characters and packed bytes of all segments. The list of a larger package is longer than
 * an answer of the gate may be. Reading its pack would take the memory of a function, or a third of what one request may read.
 */
export const maxPackVersions = 3000;
const maxSize = 16_000_000;
const maxBytes = 4_000_000;

type NewPart = ReturnType<typeof makePart>;

/** Returns segments with these entries, each of which is at most as large as a segment may be. */
const makeSegments = (entries: readonly PackEntry[]): NewPart[] => {
  if (entries.length === 0) return [];
  const part = makePart(entries);
  if (part.packed.length <= maxSegmentBytes || entries.length === 1) return [part];
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)].flatMap(makeSegments);
};

/** Deletions and puts at once. */
const parallelWrites = 10;

const inParallel = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  await runInParallel(items, parallelWrites, work);
};

/** A newer change of the version replaced its mark. */
class NewerMarkError extends Error {
  override readonly name = 'NewerMarkError';
}

/** Deletes a mark, unless its version changed again. */
const deleteMark = async (mark: PackMark): Promise<void> => {
  const guard = { ...ifUnchanged(mark, ['state']), refuse: () => new NewerMarkError() };
  try {
    await deleteAlone(deleteItem(packMarksTable, { v: mark.v, k: mark.k }, guard));
  } catch (error) {
    if (!(error instanceof NewerMarkError)) throw error;
  }
};

const putPart = ({ v, k }: { v: string; k: string }, packed: Buffer, now: Date): Promise<void> =>
  putAlone(putItem(packPartsTable, { v, k, at: now.toISOString(), packed }));

const deletePart = (key: { v: string; k: string }): Promise<void> =>
  deleteAlone(deleteItem(packPartsTable, key));

/**
 * Puts a head, if nobody wrote another one since it was read. After a lost answer, the head may be the stored one already.
 * @throws {PackChangedError} if another head is stored
 */
const putHead = async (head: PackHead, seen: PackHead | undefined): Promise<void> => {
  const guard = {
    ...ifUnchanged(seen, ['id']),
    refuse: () => new PackChangedError('Another worker wrote the pack'),
  };
  try {
    await putAlone(putItem(packHeadsTable, head, guard));
  } catch (error) {
    if (!(error instanceof PackChangedError)) throw error;
    const stored = await getItem(packHeadsTable, { v: head.v, k: head.k });
    if (stored?.id !== head.id) throw error;
  }
};

/** A head's content, and the parts that are written before it. */
interface NewPack
  extends Pick<PackHead, 'segments' | 'list' | 'replaced' | 'first_expiry' | 'isTooLarge'> {
  readonly parts: readonly { readonly key: { v: string; k: string }; readonly packed: Buffer }[];
  readonly recent: RecentEntries;
}

/** Pack of a package with too many approved versions: readers do not use it. */
const tooLarge: NewPack = {
  ...{ parts: [], segments: [], list: null, replaced: 0, first_expiry: null, isTooLarge: true },
  recent: { entries: [], optional: [] },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** True if readers should not use a pack of this length. */
const isOverLimit = ({ segments }: NewPack, { listed, entries }: PackContent): boolean =>
  listed.length + entries.length > maxPackVersions ||
  sum(segments.map(({ size }) => size)) > maxSize ||
  sum(segments.map(({ bytes }) => bytes)) > maxBytes;

/** Returns the new pack for some content; for undefined content, that of a package with too many versions. */
const makeNewPack = (
  v: string,
  content: PackContent | undefined,
  seen: PackHead | undefined,
): NewPack => {
  if (!content) return tooLarge;
  const { kept, merged, listed, entries, optional, replaced, first_expiry } = content;
  const made = merged ? makeSegments(merged) : [];
  const list = merged && listed.length > 0 ? makePart(listed) : undefined;
  const next = {
    ...{ replaced, first_expiry, isTooLarge: false, recent: { entries, optional } },
    segments: [...kept, ...made.map(({ ref }) => ref)],
    list: merged ? (list?.ref ?? null) : (seen?.list ?? null),
    parts: [
      ...made.map(({ ref, packed }) => ({ key: toSegmentKey(v, ref), packed })),
      ...(list ? [{ key: toListKey(v, list.ref), packed: list.packed }] : []),
    ],
  };
  return isOverLimit(next, content) ? tooLarge : next;
};

/** Returns the keys of the parts that a head names and the next one does not. */
const listOldParts = (seen: PackHead, next: NewPack) => {
  const named = new Set(listParts({ v: seen.v, ...next }).map(({ k }) => k));
  return listParts(seen).filter(({ k }) => !named.has(k));
};

/**
 * Deletes those new parts that the stored head does not name. After a lost answer it may name some: another worker may have
 * kept them from the head that was written.
 */
const deleteUnnamed = async (v: string, parts: NewPack['parts']): Promise<void> => {
  const stored = await getItem(packHeadsTable, { v, k: headKey });
  const named = new Set(stored ? listParts(stored).map(({ k }) => k) : []);
  await inParallel(
    parts.filter(({ key }) => !named.has(key.k)),
    ({ key }) => deletePart(key),
  );
};

/**
 * Replaces the content of a pack. New parts come first, then the head that names them, and last the deletion of old parts and
 * marks: a reader always finds what the head names, or a mark of what it lacks.
 * @throws {PackChangedError} if another worker wrote the pack since it was read: nothing a reader sees was changed then
 */
export const writePack = async (
  of: PackageName,
  { head: seen, marks }: StoredPack,
  { content, now }: { readonly content: PackContent | undefined; readonly now: Date },
): Promise<void> => {
  const v = toPackPartition(of);
  const next = makeNewPack(v, content, seen);
  const { parts, recent, ...fields } = next;
  await inParallel(parts, ({ key, packed }) => putPart(key, packed, now));
  const head: PackHead = {
    ...{ v, k: headKey, format: packFormat, id: makeWriteId() },
    ...{ ...fields, recent: pack(recent) },
  };
  try {
    await putHead(head, seen);
  } catch (error) {
    // After other errors, a head may name these parts later.
    if (error instanceof PackChangedError) await deleteUnnamed(v, parts);
    throw error;
  }
  await inParallel(seen ? listOldParts(seen, next) : [], deletePart);
  await inParallel(marks, deleteMark);
};
