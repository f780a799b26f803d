import { isDeepStrictEqual } from 'node:util';
import type { StoredChanges } from '../../api/schemas/changes.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/** What changed in a version since an earlier one, when its upstream metadata was last collected. */
interface VersionChangesItem {
  readonly v: string;
  readonly k: string;
  readonly changes: Uint8Array;
}

const changesTable = defineTable<VersionChangesItem>('reviews');

/** Sort key of the changes. It sorts before the review state, so that reads of the review file skip them. */
const changesKey = 'changes';

/** True if the key belongs to the changes of a version. */
export const isOfVersionChanges = (k: string): boolean => k === changesKey;

/** Maximum size of packed changes in bytes, which an eventually consistent read gets for two read units. */
const maxChangesBytes = 15 * 1024;

const toKey = (id: PackageId) => ({ v: toVersionKey(id), k: changesKey });

/** Returns what changed in a version since an earlier one; undefined if it was not compared yet. */
export const findVersionChanges = async (id: PackageId): Promise<StoredChanges | undefined> => {
  const item = await getItem(changesTable, toKey(id), { eventual: true });
  return item && (unpack(item.changes) as StoredChanges);
};

/** Returns the changes that fit into an item. The last ones are left out; `change_count` counts all. */
const takeFitting = (changes: StoredChanges): StoredChanges => {
  if (pack(changes).length <= maxChangesBytes) return changes;
  const fewer = changes.changes.slice(0, Math.floor(changes.changes.length / 2));
  return takeFitting({ ...changes, changes: fewer });
};

/** Returns the write that replaces the stored changes of a version; none if they are the same. */
export const replaceVersionChanges = (
  id: PackageId,
  stored: StoredChanges | undefined,
  changes: StoredChanges,
): Write[] => {
  const fitting = takeFitting(changes);
  return isDeepStrictEqual(stored, fitting)
    ? []
    : [putItem(changesTable, { ...toKey(id), changes: pack(fitting) })];
};
