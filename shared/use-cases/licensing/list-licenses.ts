import type { LicenseListItem } from '../../api/schemas/license.ts';
import type { LicensesQuery } from '../../api/schemas/licenses-query.ts';
import { findFacts } from '../../domain/licenses/license-facts.ts';
import { type LicenseItem, readLicenses } from '../../storage/licenses/license-items.ts';

const toListItem = (item: LicenseItem): LicenseListItem => {
  const { name, title, ...facts } = findFacts(item);
  return { name, title, status: item.status, ...facts };
};

/**
 * Licenses by name, under any filter, and how many there are. There are some 700 of them in all, 120 bytes each: reading
 * every match costs less than keeping counters would.
 */
export const listLicenses = async (
  query: LicensesQuery,
): Promise<{ licenses: LicenseListItem[]; total: number }> => {
  const items = await readLicenses(query);
  const term = query.search?.trim().toLowerCase() ?? '';
  const found = items
    .filter(({ category }) => query.category === undefined || category === query.category)
    .sort((a, b) => (a.license_key < b.license_key ? -1 : 1))
    .map(toListItem)
    .filter(({ name, title }) => `${name}\n${title ?? ''}`.toLowerCase().includes(term));
  const { limit, offset } = query;
  return { licenses: found.slice(offset, offset + limit), total: found.length };
};
