import { hasExpired } from '../../domain/expiry.ts';
import { type PackageId, toPackageKey } from '../../domain/package-id.ts';
import { foldName } from '../../domain/package-name.ts';
import { findMajor } from '../../domain/policy/major.ts';
import { queryPage } from '../read.ts';
import type { ItemKey } from '../table.ts';
import { packagesTable } from './package-item.ts';

/** Whether another version of the package with the same first number is approved at a moment. */
export const hasApprovedMajor = async (
  { ecosystem, name, version }: PackageId,
  now: Date,
): Promise<boolean> => {
  const major = findMajor(ecosystem, version);
  if (major === undefined) return false;
  const key = toPackageKey(ecosystem, name);
  let start: ItemKey | undefined;
  do {
    const page = await queryPage(
      packagesTable,
      {
        IndexName: 'by-ecosystem-and-status',
        KeyConditionExpression:
          'name_key = :name AND begins_with(ecosystem_status_ordinal, :prefix)',
        ExpressionAttributeValues: {
          ':name': foldName(name),
          ':prefix': `${ecosystem}#approved#`,
        },
        // The newest versions are the likeliest to have it.
        ScanIndexForward: false,
      },
      { start },
    );
    const isFound = page.items.some(
      (other) =>
        // Names that differ in more than their spelling may share the partition.
        toPackageKey(other.ecosystem, other.name) === key &&
        findMajor(ecosystem, other.version) === major &&
        !hasExpired(other, now),
    );
    if (isFound) return true;
    start = page.next;
  } while (start);
  return false;
};
