import type { PackageDetail } from '../../api/schemas/package.ts';
import {
  listCandidateKeys,
  type PackageSelector,
  toPackageKey,
} from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable, type ItemKey } from '../dynamodb/table.ts';
import { addToFields, updateItem, type Write } from '../dynamodb/write.ts';

/**
 * Number of versions of each package in a partition, by package key, which contains a `#`. Attribute `u` counts the
 * updates of the item.
 */
export type VersionCounts = Readonly<Record<string, number | string>>;

export const versionCountsTable = defineTable<VersionCounts>('packages');

/** No version begins with `#`. */
const countsVersion = '#versions';

/** Returns the key of the item that counts the versions at a name key. */
export const makeCountsKey = (nameKey: string): ItemKey => ({
  name_key: nameKey,
  version_key: countsVersion,
});

/** Returns the key of the item that counts the versions of a name, in any ecosystem. */
export const toCountsKey = (name: string): ItemKey => makeCountsKey(foldName(name));

/** True if the key belongs to an item that counts versions. */
export const isCountsKey = ({ version_key }: ItemKey): boolean => version_key === countsVersion;

/** Returns the write that counts a new version of its package, in the transaction of the submission. */
export const countNewVersion = ({ ecosystem, name }: PackageDetail): Write =>
  updateItem(versionCountsTable, toCountsKey(name), {
    change: addToFields({ [toPackageKey(ecosystem, name)]: 1, u: 1 }),
  });

/** Returns the number of versions that match the selector, regardless of status. Reads one item. */
export const readVersionCount = async (selector: PackageSelector): Promise<number> => {
  const keys = listCandidateKeys(selector);
  // An invalid name may be longer than a key.
  if (keys.length === 0) return 0;
  const counts = (await getItem(versionCountsTable, toCountsKey(selector.name))) ?? {};
  return keys.reduce((sum, key) => sum + Number(counts[key] ?? 0), 0);
};
