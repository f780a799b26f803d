import { refuseUnknownPackage } from '../../domain/errors.ts';
import {
  listCandidateKeys,
  type PackageSelector,
  toPackageKey,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { selectOne } from '../../domain/review/decision.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import { queryPage, type Range } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { type PackageItem, packagesTable } from './package-item.ts';
import { toVersionKeyPrefix } from './version-keys.ts';

/** Selects versions of a name by any combination of ecosystem, version and status. */
export interface VersionSelector extends PackageSelector {
  readonly status?: Status | undefined;
}

/** Minimum rows of each further call, which follows if earlier rows belong to other names in the same partition. */
export const rowsAtATime = 100;

const selectFromIndex = (index: string, sortKey: string, prefix: string): Range => ({
  IndexName: index,
  KeyConditionExpression: `name_key = :name AND begins_with(${sortKey}, :prefix)`,
  ExpressionAttributeValues: { ':prefix': `${prefix}#` },
});

/** Returns the index range in which all rows match the selector's ecosystem and status. */
const selectInOrder = ({ ecosystem, status }: VersionSelector): Range => {
  if (ecosystem && status) {
    const prefix = `${ecosystem}#${status}`;
    return selectFromIndex('by-ecosystem-and-status', 'ecosystem_status_sequence', prefix);
  }
  if (ecosystem) return selectFromIndex('by-ecosystem', 'ecosystem_sequence', ecosystem);
  if (status) return selectFromIndex('by-status', 'status_sequence', status);
  return { IndexName: 'by-sequence', KeyConditionExpression: 'name_key = :name' };
};

const selectRange = (selector: VersionSelector): Range =>
  selector.version === undefined
    ? selectInOrder(selector)
    : {
        KeyConditionExpression: 'name_key = :name AND begins_with(version_key, :prefix)',
        ExpressionAttributeValues: { ':prefix': toVersionKeyPrefix(selector.version) },
      };

const createSelection = (selector: VersionSelector) => {
  const keys = new Set(listCandidateKeys(selector));
  const now = new Date();
  return (item: PackageItem): boolean => {
    const key =
      selector.version === undefined ? toPackageKey(item.ecosystem, item.name) : toVersionKey(item);
    return keys.has(key) && (selector.status ?? statusAt(item, now)) === statusAt(item, now);
  };
};

/** Sorts versions by their submission, the latest first. */
const compareNewestFirst = (a: PackageItem, b: PackageItem): number =>
  a.sequence < b.sequence ? 1 : -1;

/**
 * Returns up to `count` versions that match the selector, from the newest or the oldest on; the newest first. Usually makes one
 * call. Further calls are necessary if other names share the partition, or if one answer is too small for the rows.
 */
export const findVersions = async (
  selector: VersionSelector,
  count: number,
  { isAscending }: { readonly isAscending: boolean },
): Promise<PackageItem[]> => {
  if (listCandidateKeys(selector).length === 0) return [];
  const range = selectRange(selector);
  const values = { ...range.ExpressionAttributeValues, ':name': foldName(selector.name) };
  const isSelected = createSelection(selector);
  const found: PackageItem[] = [];
  let start: ItemKey | undefined;
  do {
    const page = await queryPage(
      packagesTable,
      { ...range, ExpressionAttributeValues: values, ScanIndexForward: isAscending },
      { start, ...choosePageSize(selector, count, start !== undefined) },
    );
    found.push(...page.items.filter(isSelected));
    start = page.next;
  } while (start && found.length < count);
  // Rows of one version are in key order; rows of an index are already in the order of submissions.
  const sorted = found.sort(compareNewestFirst);
  return isAscending ? sorted.slice(-count) : sorted.slice(0, count);
};

/** Returns up to `count` versions that match the selector, newest first. */
export const findNewestVersions = (
  selector: VersionSelector,
  count: number,
): Promise<PackageItem[]> => findVersions(selector, count, { isAscending: false });

/** Returns the page size of a query: no limit for the few rows of one version, else the wanted count. */
const choosePageSize = ({ version }: VersionSelector, count: number, again: boolean) => {
  if (version !== undefined || count === Number.POSITIVE_INFINITY) return {};
  return { limit: again ? Math.max(count, rowsAtATime) : count };
};

/** Returns the newest version that matches the selector; undefined if there is none. */
export const findNewestVersion = async (
  selector: VersionSelector,
): Promise<PackageItem | undefined> => (await findNewestVersions(selector, 1))[0];

/**
 * Returns the newest version that matches the selector.
 * @throws {RegistryError} `package_not_found` if there is none
 */
export const selectVersion = async (selector: VersionSelector): Promise<PackageItem> => {
  const newest = await findNewestVersion(selector);
  if (newest) return newest;
  throw refuseUnknownPackage(selector);
};

/** Maximum number of candidates in the error of an ambiguous request. */
const shownCandidates = 20;

/**
 * Returns the one version that a write selects: the only pending match, or the only match if none is pending.
 * Throws an error if there is no match, or more than one.
 */
export const selectForWrite = async (selector: PackageSelector): Promise<PackageItem> => {
  // One version has few rows, so one query reads all of them.
  const pending =
    selector.version === undefined
      ? await findNewestVersions({ ...selector, status: 'pending' }, shownCandidates)
      : [];
  const all = pending.length > 0 ? pending : await findNewestVersions(selector, shownCandidates);
  return selectOne(selector, all, new Date());
};
