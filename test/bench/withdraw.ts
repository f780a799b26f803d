import type { TableId } from '../../shared/api/resources.ts';
import { readTableName } from '../../shared/api/settings/env.ts';
import { toPackageKey } from '../../shared/domain/packages/package-id.ts';
import { changeCounts } from '../../shared/storage/catalogue/counters.ts';
import { toFacet } from '../../shared/storage/catalogue/facets.ts';
import { makeRows } from '../../shared/storage/catalogue/rows.ts';
import { listRecords } from '../../shared/storage/decisions/records.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { transact } from '../../shared/storage/dynamodb/transact.ts';
import { addToFields, updateItem, type Write } from '../../shared/storage/dynamodb/write.ts';
import type { PackageItem } from '../../shared/storage/packages/package-item.ts';
import { toCountsKey, versionCountsTable } from '../../shared/storage/packages/version-counts.ts';
import { parseSequenceNumber, toItemKey } from '../../shared/storage/packages/version-keys.ts';
import { toReviewStateKey } from '../../shared/storage/reviews/review-state.ts';
import { writeContext } from '../capacity/write-context.ts';

const remove = (table: TableId, key: StoredItem): Write => ({
  operation: { Delete: { TableName: readTableName(table), Key: key } },
});

const returnSequenceNumber = (): Write => ({
  operation: {
    Update: {
      TableName: readTableName('packages'),
      Key: { name_key: '#sequence', version_key: '#sequence' },
      UpdateExpression: 'ADD #count :minusOne',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':minusOne': -1 },
    },
  },
});

/** The records of the submission and of the first decision. */
const mostRecords = 2;

/** Deletes a submission and its first decision, so that the kept data does not change. The product never does this. */
export const withdraw = async (item: PackageItem): Promise<void> => {
  const { catalogue, deadline } = writeContext();
  const sequence = parseSequenceNumber(item.sequence);
  const rows = makeRows({ ...item, sequence }, catalogue.layout);
  const records = await listRecords(item, { count: mostRecords });
  await transact(
    [
      returnSequenceNumber(),
      remove('packages', toItemKey(item)),
      remove('reviews', toReviewStateKey(item)),
      ...records.map(({ package_key, decision_key }) =>
        remove('decisions', { package_key, decision_key }),
      ),
      updateItem(versionCountsTable, toCountsKey(item.name), {
        change: addToFields({ [toPackageKey(item.ecosystem, item.name)]: -1, u: -1 }),
      }),
      ...rows.map(({ p, o }) => remove('catalogue', { p, o })),
      ...changeCounts(sequence, { [toFacet(item)]: -1 }, catalogue),
    ],
    deadline,
  );
};
