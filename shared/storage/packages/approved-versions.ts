import { findMajor } from '../../domain/packages/major-version.ts';
import { type PackageId, toPackageKey } from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { hasExpired } from '../../domain/review/expiry.ts';
import { queryPages, type ReadOptions } from '../dynamodb/read.ts';
import { hasReadUnits } from '../dynamodb/read-budget.ts';
import { type PackageItem, packagesTable } from './package-item.ts';

/** As many as one batch reads the facts of. */
const versionsACall = 100;

/** The versions of a package that are approved at a moment, as one call after the other reads them, newest first. */
async function* readApprovedPages(
  { ecosystem, name }: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
  { limit, eventual = false }: { readonly limit?: number } & ReadOptions = {},
): AsyncGenerator<readonly PackageItem[]> {
  const key = toPackageKey(ecosystem, name);
  const range = {
    IndexName: 'by-ecosystem-and-status',
    KeyConditionExpression: 'name_key = :name AND begins_with(ecosystem_status_ordinal, :prefix)',
    ExpressionAttributeValues: {
      ':name': foldName(name),
      ':prefix': `${ecosystem}#approved#`,
    },
    ScanIndexForward: false,
    ConsistentRead: !eventual,
  };
  for await (const items of queryPages(packagesTable, range, { limit, endsEarly: eventual })) {
    // Names that differ in more than their spelling may share the partition.
    yield items.filter(
      (item) => toPackageKey(item.ecosystem, item.name) === key && !hasExpired(item, now),
    );
  }
}

/** Whether another version of the package with the same first number is approved at a moment. */
export const hasApprovedMajor = async (
  { ecosystem, name, version }: PackageId,
  now: Date,
): Promise<boolean> => {
  const major = findMajor(ecosystem, version);
  if (major === undefined) return false;
  // The newest versions are the likeliest to have it.
  for await (const versions of readApprovedPages({ ecosystem, name }, now)) {
    if (versions.some((other) => findMajor(ecosystem, other.version) === major)) return true;
  }
  return false;
};

/** What one call of eventually consistent reads takes at most, and as much again for what comes after it. */
const unitsForOneCall = 256;

/**
 * The newest versions of a package that are approved at a moment, among the last so many: one call. None where the request
 * may read no more: they are named as a help.
 */
export const findNewestApproved = async (
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
  limit: number,
): Promise<readonly string[]> => {
  if (!hasReadUnits(unitsForOneCall)) return [];
  for await (const versions of readApprovedPages(id, now, { limit, eventual: true })) {
    return versions.map(({ version }) => version);
  }
  return [];
};

/**
 * The versions of a package that are approved at a moment, newest first, as one call after the other reads them. They end
 * early where the request may read no more.
 */
export const approvedPages = (
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
): AsyncGenerator<readonly PackageItem[]> =>
  readApprovedPages(id, now, { limit: versionsACall, eventual: true });

/** All versions of a package that are approved at a moment, newest first; of very many, the newest. */
export const listApproved = async (
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
): Promise<readonly PackageItem[]> => {
  const found: PackageItem[] = [];
  for await (const versions of readApprovedPages(id, now, { eventual: true })) {
    found.push(...versions);
  }
  return found;
};
