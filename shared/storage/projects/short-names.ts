import type { PackageName } from '../../domain/packages/package-id.ts';
import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { shortenName } from '../../ecosystems/rules.ts';
import { queryItems } from '../dynamodb/read.ts';
import { putItem, type Write } from '../dynamodb/write.ts';
import { shortNamesTable, toShortNamePartition } from './project-items.ts';

/** Full names of one short name that a list covers. Artifacts of Maven with one name have a handful of groups. */
const mostNames = 50;

/** Returns the key of the row with the full name of a package; undefined if its ecosystem has no short names. */
const toKey = ({ ecosystem, name }: PackageName) => {
  const short = shortenName[ecosystem]?.(name);
  return short === undefined ? undefined : { p: toShortNamePartition(ecosystem, short), k: name };
};

const listKeys = (versions: readonly SnapshotVersion[]) =>
  new Map(
    versions.flatMap((version) => {
      const key = toKey(version);
      return key ? [[JSON.stringify(key), key] as const] : [];
    }),
  );

/** Returns the writes of the short names that a snapshot adds. */
export const addShortNames = (
  before: readonly SnapshotVersion[],
  after: readonly SnapshotVersion[],
): Write[] => {
  const known = listKeys(before);
  return [...listKeys(after)]
    .filter(([key]) => !known.has(key))
    .map(([, key]) => putItem(shortNamesTable, key));
};

/** Full names of packages, and whether there are more of them. */
interface FullNames {
  readonly names: readonly string[];
  readonly isComplete: boolean;
}

/** Returns the full names of the packages that projects used and that have a short name, at most 50. */
export const findFullNames = async (ecosystem: Ecosystem, short: string): Promise<FullNames> => {
  const rows = await queryItems(
    shortNamesTable,
    {
      KeyConditionExpression: 'p = :short',
      ExpressionAttributeValues: { ':short': toShortNamePartition(ecosystem, short) },
      ConsistentRead: false,
    },
    mostNames + 1,
  );
  const names = rows.slice(0, mostNames).map(({ k }) => k);
  return { names, isComplete: rows.length <= mostNames };
};
