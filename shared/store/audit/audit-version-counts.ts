import { toPackageKey } from '../../domain/package-id.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import {
  isCountsKey,
  makeCountsKey,
  type VersionCounts,
  versionCountsTable,
} from '../packages/version-counts.ts';
import { batchGet, getItem, queryItems } from '../read.ts';
import type { ItemKey } from '../table.ts';
import { deleteItem, isAsSeen, putItem } from '../write.ts';
import type { AuditContext } from './findings.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const tries = 3;

type Counts = Readonly<Record<string, unknown>>;

/** Holds while no version came to a name since its counts were read. */
const isUncounted = (counts: VersionCounts | undefined) => isAsSeen(counts, ['name_key', 'u']);

/** The names among these items whose counts have not been judged with another item: those with counts here, and those without any. */
const findNames = async (items: readonly PackageItem[]): Promise<string[]> => {
  const here = items.filter(isCountsItem).map(({ name_key }) => name_key);
  const names = new Set(items.filter(({ name_key }) => name_key !== '#ordinal').map(readNameKey));
  const counted = await batchGet(versionCountsTable, [...names].map(makeCountsKey));
  const known = new Set(counted.map((counts) => String(counts['name_key'])));
  return [...new Set([...here, ...[...names].filter((name) => !known.has(name))])];
};

const isCountsItem = ({ name_key, version_key }: PackageItem): boolean =>
  isCountsKey({ name_key, version_key });

const readNameKey = ({ name_key }: PackageItem): string => name_key;

/** The counts that the versions of a name add up to. */
const countVersions = async (key: ItemKey): Promise<Map<string, number>> => {
  const items = await queryItems(packagesTable, {
    KeyConditionExpression: 'name_key = :name',
    ExpressionAttributeValues: { ':name': key['name_key'] },
  });
  const counts = new Map<string, number>();
  for (const { ecosystem, name } of items.filter((item) => !isCountsItem(item))) {
    const packageKey = toPackageKey(ecosystem, name);
    counts.set(packageKey, (counts.get(packageKey) ?? 0) + 1);
  }
  return counts;
};

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
  { deadline }: AuditContext,
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
const auditName = async (name: string, context: AuditContext): Promise<void> => {
  const key = makeCountsKey(name);
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const stored = await getItem(versionCountsTable, key);
    const truth = await countVersions(key);
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

/** Compares the numbers of versions that are kept for the names among these items with the versions that there are. */
export const auditVersionCounts = async (
  items: readonly PackageItem[],
  context: AuditContext,
): Promise<void> => {
  for (const name of await findNames(items)) await auditName(name, context);
};
