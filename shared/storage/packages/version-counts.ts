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
 * How many versions each package of a partition has: an attribute for each, named by its key, which has a `#`. And u, how
 * often the item was changed.
 */
export type VersionCounts = Readonly<Record<string, number | string>>;

export const versionCountsTable = defineTable<VersionCounts>('packages');

/** No version begins with `#`. */
const countsVersion = '#versions';

/** The key of the item that counts the versions at a name key. */
export const makeCountsKey = (nameKey: string): ItemKey => ({
  name_key: nameKey,
  version_key: countsVersion,
});

/** The key of the item that counts the versions of a name, in any ecosystem. */
export const toCountsKey = (name: string): ItemKey => makeCountsKey(foldName(name));

/** Whether a key of the packages table is that of a count of versions. */
export const isCountsKey = ({ version_key }: ItemKey): boolean => version_key === countsVersion;

/** Counts one more version of its package, in the transaction that submits it. */
export const countNewVersion = ({ ecosystem, name }: PackageDetail): Write =>
  updateItem(versionCountsTable, toCountsKey(name), {
    change: addToFields({ [toPackageKey(ecosystem, name)]: 1, u: 1 }),
  });

/** How many versions there are of what the selector names, of whatever status. One read of one item. */
export const readVersionCount = async (selector: PackageSelector): Promise<number> => {
  const keys = listCandidateKeys(selector);
  // A name that no package can have may be longer than a key.
  if (keys.length === 0) return 0;
  const counts = (await getItem(versionCountsTable, toCountsKey(selector.name))) ?? {};
  return keys.reduce((sum, key) => sum + Number(counts[key] ?? 0), 0);
};
