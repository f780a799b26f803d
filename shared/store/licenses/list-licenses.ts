import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../config/env.ts';
import type { LicenseListItem, LicensesQuery } from '../../schemas/license.ts';
import { queryItems } from '../query-items.ts';
import { factsOf } from './license-facts.ts';
import type { LicenseItem } from './license-items.ts';

type Filter = Pick<LicensesQuery, 'status' | 'category'>;

const range = (filter: Filter): Partial<QueryCommandInput> => {
  const [field] = (['status', 'category'] as const).filter((name) => filter[name] !== undefined);
  if (field === undefined) {
    return {
      KeyConditionExpression: 'kind = :kind',
      ExpressionAttributeValues: { ':kind': 'license' },
    };
  }
  return {
    IndexName: `by-${field}`,
    KeyConditionExpression: 'kind = :kind AND #field = :value',
    ExpressionAttributeNames: { '#field': field },
    ExpressionAttributeValues: { ':kind': 'license', ':value': filter[field] },
  };
};

const toListItem = (item: LicenseItem): LicenseListItem => {
  const { name, title, ...facts } = factsOf(item);
  return { name, title, status: item.status, ...facts };
};

/**
 * Licenses by name, under any filter, and how many there are. There are some 700 of them in all, 120 bytes each: reading
 * every match costs less than keeping counters would.
 */
export const listLicenses = async (
  query: LicensesQuery,
): Promise<{ licenses: LicenseListItem[]; total: number }> => {
  const items = await queryItems({ TableName: tableName('licenses'), ...range(query) });
  const term = query.search?.trim().toLowerCase() ?? '';
  const found = (items as unknown as LicenseItem[])
    .filter(({ category }) => query.category === undefined || category === query.category)
    .sort((a, b) => (a.license_key < b.license_key ? -1 : 1))
    .map(toListItem)
    .filter(({ name, title }) => `${name}\n${title ?? ''}`.toLowerCase().includes(term));
  const { limit, offset } = query;
  return { licenses: found.slice(offset, offset + limit), total: found.length };
};
