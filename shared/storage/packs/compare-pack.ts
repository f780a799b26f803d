import { isDeepStrictEqual } from 'node:util';
import type { PackageName } from '../../domain/packages/package-id.ts';
import { readSegments } from './find-pack.ts';
import { readMarkedKey, toListed } from './pack-items.ts';
import {
  type ApprovedFields,
  listNamesIn,
  mergeEntries,
  type PackEntry,
} from './packed-version.ts';
import { type ReadablePack, readAllApproved, readStoredPack, unpackStored } from './stored-pack.ts';

const dropContent = ([key, version]: PackEntry): [string, ApprovedFields][] => {
  if (!version) return [];
  const { content: _, ...fields } = version;
  return [[key, fields]];
};

/** True if a pack knows when its first approval expires. */
const knowsExpiry = ({ head }: ReadablePack, fields: Iterable<ApprovedFields>): boolean =>
  [...fields]
    .flatMap(({ expires_at }) => expires_at ?? [])
    .every((expiry) => head.first_expiry !== null && head.first_expiry <= expiry);

const knowsNames = ({ recent }: ReadablePack, entries: readonly PackEntry[]): boolean => {
  const known = recent.optional && new Set(recent.optional);
  return known === null || (listNamesIn(entries) ?? [null]).every((name) => known.has(name ?? ''));
};

/** True if a pack lists exactly the approved versions. Versions that changed after its write do not count. */
const hasRightEntries = async (
  of: PackageName,
  readable: ReadablePack,
  { approved, marked }: { approved: Map<string, ApprovedFields>; marked: ReadonlySet<string> },
): Promise<boolean> => {
  const older = await readSegments(of, readable.head);
  if (!older) return false;
  const entries = mergeEntries(older, readable.recent.entries);
  const inSegments = toListed(mergeEntries(older));
  return (
    isDeepStrictEqual(
      new Map(entries.filter(([key]) => !marked.has(key)).flatMap(dropContent)),
      approved,
    ) &&
    isDeepStrictEqual(new Set(readable.listed), new Set(inSegments)) &&
    knowsExpiry(readable, approved.values()) &&
    knowsNames(readable, entries)
  );
};

/**
 * Returns whether the pack of a package is right, `late` if it is right but for versions that changed after it, or `changed` if
 * another worker wrote it meanwhile. A pack without versions need not exist. A pack that is too large is right: readers do not
 * use it.
 */
export const comparePack = async (
  of: PackageName,
): Promise<'right' | 'late' | 'wrong' | 'changed'> => {
  const stored = await readStoredPack(of);
  const approved = await readAllApproved(of);
  // Readers take the versions with a mark from the table of packages.
  const marked = new Set(stored.marks.map(readMarkedKey));
  for (const key of marked) approved.delete(key);
  const readable = unpackStored(of, stored);
  const isRight = stored.head
    ? stored.head.isTooLarge ||
      (readable !== undefined && (await hasRightEntries(of, readable, { approved, marked })))
    : approved.size === 0;
  const again = await readStoredPack(of);
  const isSame = stored.head?.id === again.head?.id && isDeepStrictEqual(stored.marks, again.marks);
  if (!isSame) return 'changed';
  if (!isRight) return 'wrong';
  return marked.size === 0 ? 'right' : 'late';
};
