import type { LicenseListItem } from '../../api/schemas/license.ts';
import type { LicensesQuery } from '../../api/schemas/licenses-query.ts';
import { findFacts } from '../../domain/licenses/license-facts.ts';
import { type LicenseItem, readLicenses } from '../../storage/licenses/license-items.ts';

const toListItem = (item: LicenseItem): LicenseListItem => {
  const { name, title, ...facts } = findFacts(item);
  return { name, title, status: item.status, ...facts };
};

/**
 * Returns a page of the licenses that match a query, sorted by name, and their total number. The table has about 700
 * licenses of 120 bytes each, so reading every match costs less than maintaining counters.
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
