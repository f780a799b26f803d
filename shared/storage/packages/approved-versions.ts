import { findMajor } from '../../domain/packages/major-version.ts';
import {
  type PackageId,
  type PackageName,
  toPackageKey,
} from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { hasExpired } from '../../domain/review/expiry.ts';
import { type ItemPage, queryPage, queryPages, type ReadOptions } from '../dynamodb/read.ts';
import { hasReadUnits } from '../dynamodb/read-budget.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { type PackageItem, packagesTable } from './package-item.ts';

/** Number of versions in one call: one batch reads the facts of as many. */
const versionsACall = 100;

/** Returns the range of a package's approved versions, newest first. */
const toApprovedRange = ({ ecosystem, name }: PackageName, { eventual = false }: ReadOptions) => ({
  IndexName: 'by-ecosystem-and-status',
  KeyConditionExpression: 'name_key = :name AND begins_with(ecosystem_status_sequence, :prefix)',
  ExpressionAttributeValues: {
    ':name': foldName(name),
    ':prefix': `${ecosystem}#approved#`,
  },
  ScanIndexForward: false,
  ConsistentRead: !eventual,
});

/** Returns the items of a package. Different names may share the partition. */
export const pickOwn = (
  items: readonly PackageItem[],
  { ecosystem, name }: PackageName,
): PackageItem[] => {
  const key = toPackageKey(ecosystem, name);
  return items.filter((item) => toPackageKey(item.ecosystem, item.name) === key);
};

/** Returns the items of a package that are approved at a time. */
const pickApproved = (
  items: readonly PackageItem[],
  id: PackageName,
  now: Date,
): readonly PackageItem[] => pickOwn(items, id).filter((item) => !hasExpired(item, now));

/** Yields the approved versions of a package at a time, newest first, one page for each call. */
async function* readApprovedPages(
  id: PackageName,
  now: Date,
  { limit, eventual = false }: { readonly limit?: number } & ReadOptions = {},
): AsyncGenerator<readonly PackageItem[]> {
  const range = toApprovedRange(id, { eventual });
  for await (const items of queryPages(packagesTable, range, { limit, endsEarly: eventual })) {
    yield pickApproved(items, id, now);
  }
}

/** True if another approved version of the package has the same major version at the given time. */
export const hasApprovedMajor = async (
  { ecosystem, name, version }: PackageId,
  now: Date,
): Promise<boolean> => {
  const major = findMajor(ecosystem, version);
  if (major === undefined) return false;
  // The newest versions are the most likely match.
  for await (const versions of readApprovedPages({ ecosystem, name }, now)) {
    const others = versions.filter((other) => other.version !== version);
    if (others.some((other) => findMajor(ecosystem, other.version) === major)) return true;
  }
  return false;
};

/**
 * Returns the versions of a package with the status `approved` that one call of `limit` rows finds, after the row of key `start`.
 * Expired ones are among them until the registry changes their status.
 */
export const queryApproved = async (
  id: PackageName,
  {
    start,
    limit,
    eventual = false,
  }: { readonly start?: ItemKey | undefined; readonly limit: number } & ReadOptions,
): Promise<ItemPage<PackageItem>> => {
  const range = toApprovedRange(id, { eventual });
  const { items, next } = await queryPage(packagesTable, range, { start, limit });
  return { items: pickOwn(items, id), next };
};

/** Read units that one eventually consistent call needs: its own maximum, and as much for the reads after it. */
const unitsForOneCall = 256;

/**
 * Returns the approved versions among those that one call of `limit` rows reads, newest first.
 * Returns none if the read budget is too small: the list is only a hint.
 */
export const findNewestApproved = async (
  id: PackageName,
  now: Date,
  limit: number,
): Promise<readonly string[]> => {
  if (!hasReadUnits(unitsForOneCall)) return [];
  for await (const versions of readApprovedPages(id, now, { limit, eventual: true })) {
    return versions.map(({ version }) => version);
  }
  return [];
};

/** Approved versions that one call finds. */
export interface ApprovedPage {
  readonly versions: readonly string[];
  /** True if the package has no further approved versions. */
  readonly isComplete: boolean;
  /** Read units of the call; undefined without a read budget. */
  readonly units: number | undefined;
}

/**
 * Returns the approved versions among those that one call of `limit` rows reads, newest first; undefined if the read
 * budget is too small.
 */
export const findApprovedPage = async (
  id: PackageName,
  now: Date,
  limit: number,
): Promise<ApprovedPage | undefined> => {
  if (!hasReadUnits(unitsForOneCall)) return undefined;
  const range = toApprovedRange(id, { eventual: true });
  const { items, next, units } = await queryPage(packagesTable, range, { limit });
  const versions = pickApproved(items, id, now).map(({ version }) => version);
  return { versions, isComplete: next === undefined, units };
};

/**
 * Yields the approved versions of a package at the given time, newest first, one page for each call. Ends early if the
 * read budget is used up.
 */
export const approvedPages = (id: PackageName, now: Date): AsyncGenerator<readonly PackageItem[]> =>
  readApprovedPages(id, now, { limit: versionsACall, eventual: true });

/**
 * Returns all approved versions of a package at the given time, newest first. Reads are eventually consistent by default; they
 * then return only the newest versions if the read budget is used up.
 */
export const listApproved = async (
  id: PackageName,
  now: Date,
  { eventual = true }: ReadOptions = {},
): Promise<readonly PackageItem[]> => {
  const found: PackageItem[] = [];
  for await (const versions of readApprovedPages(id, now, { eventual })) {
    found.push(...versions);
  }
  return found;
};
