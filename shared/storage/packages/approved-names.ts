import type { PackageName } from '../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../domain/packages/package-name.ts';
import { type NameKey, resembles, toNameKey } from '../../domain/packages/similar-names.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { batchGet, getItem, queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Row of a name with a version that was approved at any time, under the letters of the name. */
export interface ApprovedName {
  readonly v: string;
  /** Length of the name's key, and the name in canonical spelling. */
  readonly k: string;
}

export const approvedNamesTable = defineTable<ApprovedName>('reviews');

/** Partition prefix of the rows. No version key begins with `#`. */
const prefix = '#name#';

const lengthDigits = 3;

const toPartition = (ecosystem: string, { letters }: NameKey): string =>
  `${prefix}${ecosystem}#${letters}`;

/** Returns the start of the sort keys of names with keys of this length. */
const toLengthPrefix = (length: number): string => `${length}`.padStart(lengthDigits, '0');

/** Returns the row of a name, which is the same for each of its spellings and versions. */
export const toApprovedName = ({ ecosystem, name }: PackageName): ApprovedName => {
  const key = toNameKey({ ecosystem, name });
  const canonical = canonicalizeName(ecosystem, name);
  return { v: toPartition(ecosystem, key), k: `${toLengthPrefix(key.length)}#${canonical}` };
};

/** True if the partition has rows of approved names. */
export const isApprovedNames = (v: string): boolean => v.startsWith(prefix);

/** Returns the name of a row; undefined if its partition names no ecosystem. */
export const readApprovedName = ({ v, k }: ApprovedName): PackageName | undefined => {
  const ecosystem = ecosystems.find((one) => v.startsWith(`${prefix}${one}#`));
  return ecosystem && { ecosystem, name: k.slice(lengthDigits + 1) };
};

/**
 * Writes the row of a name with an approved version. A known name costs half a read unit. The row is never deleted: later
 * names are compared with each name that was approved at any time.
 */
export const saveApprovedName = async (name: PackageName): Promise<void> => {
  const row = toApprovedName(name);
  const known = await getItem(approvedNamesTable, { ...row }, { eventual: true });
  if (!known) await putAlone(putItem(approvedNamesTable, row));
};

/** Read units of the largest row. */
const largestRow = 1;

/** Returns the names of which a version was approved at any time. Costs half a read unit a name, in calls of 100 names. */
export const filterApprovedNames = async <T extends PackageName>(
  names: readonly T[],
): Promise<readonly T[]> => {
  const rows = names.map(toApprovedName);
  const keys = rows.map(({ v, k }) => ({ v, k }));
  const options = { eventual: true, unitsAnItem: largestRow };
  const known = new Set(
    (await batchGet(approvedNamesTable, keys, options)).map(({ v, k }) => `${v} ${k}`),
  );
  return names.filter((_, at) => known.has(`${rows[at]?.v} ${rows[at]?.k}`));
};

/** Most rows that one search reads. Of 10,000 common names, at most 13 are near one key; of 200,000 names of npm, 75. */
const mostRows = 200;

/**
 * Returns the names of approved packages that a name resembles, in canonical spelling; none if it was approved itself. One
 * eventually consistent query, which costs half a read unit with rows of usual length.
 */
export const findSimilarNames = async ({ ecosystem, name }: PackageName): Promise<string[]> => {
  const key = toNameKey({ ecosystem, name });
  const range = {
    KeyConditionExpression: 'v = :letters AND k BETWEEN :shorter AND :longer',
    ExpressionAttributeValues: {
      ':letters': toPartition(ecosystem, key),
      ':shorter': toLengthPrefix(key.length - 1),
      // Sort keys with this length are longer than their prefix, and so beyond the range.
      ':longer': toLengthPrefix(key.length + 2),
    },
    ConsistentRead: false,
  };
  const { items } = await queryPage(approvedNamesTable, range, { limit: mostRows });
  const own = toApprovedName({ ecosystem, name }).k;
  if (items.some(({ k }) => k === own)) return [];
  return items
    .flatMap((row) => readApprovedName(row) ?? [])
    .filter((known) => resembles({ ecosystem, name }, known))
    .map((known) => known.name);
};
