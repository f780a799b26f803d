import { refuseUnknownPackage } from '../../domain/errors.ts';
import {
  listCandidateKeys,
  type PackageSelector,
  toPackageKey,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { selectOne } from '../../domain/review/decision.ts';
import { showAt, statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import { queryPage, type Range } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { type PackageItem, packagesTable, toListItem } from './package-item.ts';
import { readVersionCount } from './version-counts.ts';
import { toVersionKeyPrefix } from './version-keys.ts';

/** Which versions of a name: any combination of its ecosystem, version and status. */
export interface VersionSelector extends PackageSelector {
  readonly status?: Status | undefined;
}

/** Rows to read at a time when the first ones turned out to belong to other names in the same partition. */
const rowsAtATime = 100;

const selectFromIndex = (index: string, sortKey: string, prefix: string): Range => ({
  IndexName: index,
  KeyConditionExpression: `name_key = :name AND begins_with(${sortKey}, :prefix)`,
  ExpressionAttributeValues: { ':prefix': `${prefix}#` },
});

/** The index range in which all rows satisfy the selector's ecosystem and status. */
const selectNewestFirst = ({ ecosystem, status }: VersionSelector): Range => {
  if (ecosystem && status) {
    const prefix = `${ecosystem}#${status}`;
    return selectFromIndex('by-ecosystem-and-status', 'ecosystem_status_ordinal', prefix);
  }
  if (ecosystem) return selectFromIndex('by-ecosystem', 'ecosystem_ordinal', ecosystem);
  if (status) return selectFromIndex('by-status', 'status_ordinal', status);
  return { IndexName: 'by-ordinal', KeyConditionExpression: 'name_key = :name' };
};

const selectRange = (selector: VersionSelector): Range =>
  selector.version === undefined
    ? selectNewestFirst(selector)
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

/**
 * Up to `count` versions that the selector means, newest first. Usually one call: each further one is for names
 * that share the partition, or for more rows than one answer holds.
 */
const findVersions = async (selector: VersionSelector, count: number): Promise<PackageItem[]> => {
  if (listCandidateKeys(selector).length === 0) return [];
  const range = selectRange(selector);
  const values = { ...range.ExpressionAttributeValues, ':name': foldName(selector.name) };
  const isSelected = createSelection(selector);
  const found: PackageItem[] = [];
  let start: ItemKey | undefined;
  do {
    const page = await queryPage(
      packagesTable,
      { ...range, ExpressionAttributeValues: values, ScanIndexForward: false },
      { start, ...choosePageSize(selector, count, start !== undefined) },
    );
    found.push(...page.items.filter(isSelected));
    start = page.next;
  } while (start && found.length < count);
  // Rows of one version come in the order of their keys; those of an index are newest first already.
  return found.sort((a, b) => (a.ordinal < b.ordinal ? 1 : -1)).slice(0, count);
};

/** A version's few rows are read whole; of an index, as many as are wanted. */
const choosePageSize = ({ version }: VersionSelector, count: number, again: boolean) => {
  if (version !== undefined || count === Number.POSITIVE_INFINITY) return {};
  return { limit: again ? Math.max(count, rowsAtATime) : count };
};

/** Returns the newest version that the selector means; undefined if there is none. */
export const findNewestVersion = async (
  selector: VersionSelector,
): Promise<PackageItem | undefined> => (await findVersions(selector, 1))[0];

/** The newest version that the selector means; refuses with package_not_found if there is none. */
export const selectVersion = async (selector: VersionSelector): Promise<PackageItem> => {
  const newest = await findNewestVersion(selector);
  if (newest) return newest;
  throw refuseUnknownPackage(selector);
};

/** As many candidates as an ambiguous request is shown. */
const shownCandidates = 20;

/** The one version that a write means: the only pending match or, with none pending, the only match; refuses otherwise. */
export const selectForWrite = async (selector: PackageSelector): Promise<PackageItem> => {
  // Of one version there are so few that all of them are read at once.
  const pending =
    selector.version === undefined
      ? await findVersions({ ...selector, status: 'pending' }, shownCandidates)
      : [];
  const all = pending.length > 0 ? pending : await findVersions(selector, shownCandidates);
  return selectOne(selector, all, new Date());
};

/** Versions up to the end of a page, and how many there are in all: which is counted, but not by status. */
const findCounted = async (selector: VersionSelector, end: number) => {
  if (selector.status !== undefined) {
    const versions = await findVersions(selector, Number.POSITIVE_INFINITY);
    return { versions, total: versions.length };
  }
  const [versions, count] = await Promise.all([
    findVersions(selector, end),
    readVersionCount(selector),
  ]);
  // Both are read at different moments, between which a version may have come.
  return { versions, total: versions.length < end ? versions.length : Math.max(count, end) };
};

/** One stretch of a package's versions, newest first. An empty one means that the filter lets none through. */
export const listVersions = async (
  selector: VersionSelector,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => {
  const { versions, total } = await findCounted(selector, offset + limit);
  if (versions.length === 0) await selectVersion({ name: selector.name });
  const now = new Date();
  const packages = versions
    .slice(offset, offset + limit)
    .map((version) => toListItem(showAt(version, now)));
  return { packages, total };
};
