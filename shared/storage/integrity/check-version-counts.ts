import { toPackageKey } from '../../domain/packages/package-id.ts';
import { groupBy } from '../../util/group-by.ts';
import { getItem, queryItems } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { sequenceNumberName } from '../packages/submission-counter.ts';
import {
  isCountsKey,
  makeCountsKey,
  type VersionCounts,
  versionCountsTable,
} from '../packages/version-counts.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const tries = 3;

type Counts = Readonly<Record<string, unknown>>;

/** Holds while no version came to a name since its counts were read. */
const isUncounted = (counts: VersionCounts | undefined) => ifUnchanged(counts, ['name_key', 'u']);

const isCountsItem = ({ name_key, version_key }: PackageItem): boolean =>
  isCountsKey({ name_key, version_key });

/** The counts that the versions among these items add up to. */
const countVersions = (items: readonly PackageItem[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { ecosystem, name } of items.filter((item) => !isCountsItem(item))) {
    const packageKey = toPackageKey(ecosystem, name);
    counts.set(packageKey, (counts.get(packageKey) ?? 0) + 1);
  }
  return counts;
};

const readVersions = (name: string): Promise<PackageItem[]> =>
  queryItems(packagesTable, {
    KeyConditionExpression: 'name_key = :name',
    ExpressionAttributeValues: { ':name': name },
  });

const isRight = (stored: Counts, truth: ReadonlyMap<string, number>): boolean => {
  const { name_key: _, version_key: __, u, ...counts } = stored;
  return (
    (truth.size === 0 || typeof u === 'number') &&
    Object.keys(counts).length === truth.size &&
    [...truth].every(([key, count]) => counts[key] === count)
  );
};

const replaceCounts = (
  key: ItemKey,
  { stored, truth }: { stored: VersionCounts | undefined; truth: ReadonlyMap<string, number> },
  { deadline }: CheckContext,
): Promise<boolean> => {
  const u = typeof stored?.['u'] === 'number' ? stored['u'] + 1 : 1;
  const guard = isUncounted(stored);
  const write =
    truth.size === 0
      ? deleteItem(versionCountsTable, key, guard)
      : putItem(versionCountsTable, { ...key, ...Object.fromEntries(truth), u }, guard);
  return transactUnlessChanged([write], deadline);
};

/** Judges the counts of one name by its versions, read between two looks that show that none came. */
const checkName = async (name: string, context: CheckContext): Promise<void> => {
  const key = makeCountsKey(name);
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const stored = await getItem(versionCountsTable, key);
    const truth = countVersions(await readVersions(name));
    if (isRight(stored ?? {}, truth)) return;
    const again = await getItem(versionCountsTable, key);
    if (again?.['u'] !== stored?.['u']) continue;
    context.tally.find('wrong_version_count', name);
    if (context.repair && (await replaceCounts(key, { stored, truth }, context))) {
      context.tally.repair(1);
    }
    return;
  }
  context.tally.leaveUnjudged();
};

/** Whether the counts of a name can be right as far as one page of the table shows. */
const looksRight = async (
  name: string,
  items: readonly PackageItem[],
  after: ItemKey | undefined,
): Promise<boolean> => {
  const stored = items.find(isCountsItem);
  if (stored) return isRight({ ...stored }, countVersions(items));
  // The page begins within the name: its counts, which stand before its versions, were judged with the page before.
  const isContinued = after?.['name_key'] === name;
  return isContinued && (await getItem(versionCountsTable, makeCountsKey(name))) !== undefined;
};

/** Compares the numbers of versions that are kept for the names on a page of the table with the versions that there are. */
export const checkVersionCounts = async (
  items: readonly PackageItem[],
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<void> => {
  for (const [name, ofName] of groupBy(items, ({ name_key }) => name_key)) {
    if (name !== sequenceNumberName && !(await looksRight(name, ofName, after)))
      await checkName(name, context);
  }
};
