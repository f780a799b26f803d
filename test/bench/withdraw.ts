import { tableName } from '../../shared/config/env.ts';
import { packageVersionKey } from '../../shared/domain/package-id.ts';
import type { TableId } from '../../shared/resources.ts';
import { cellOf } from '../../shared/store/catalogue/cells.ts';
import { countWrites } from '../../shared/store/catalogue/counters.ts';
import { browseRow, searchRows } from '../../shared/store/catalogue/rows.ts';
import type { Item } from '../../shared/store/dynamodb.ts';
import { ordinalCounterKey, ordinalOfKey, packageItemKey } from '../../shared/store/keys.ts';
import type { PackageItem } from '../../shared/store/package-item.ts';
import { transact, type Write } from '../../shared/store/transact.ts';
import { writeContext } from '../capacity/write-context.ts';

const remove = (table: TableId, key: Item): Write => ({
  operation: { Delete: { TableName: tableName(table), Key: key } },
});

const undrawOrdinal = (): Write => ({
  operation: {
    Update: {
      TableName: tableName('packages'),
      Key: ordinalCounterKey,
      UpdateExpression: 'ADD #count :minusOne',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':minusOne': -1 },
    },
  },
});

/** Takes back a submission and its first decision, which no registry does, so that kept data stays as it was loaded. */
export const withdraw = async (item: PackageItem): Promise<void> => {
  const { catalogue, deadline } = writeContext();
  const ordinal = ordinalOfKey(item.ordinal);
  const version = { ...item, ordinal };
  const rows = [browseRow(version, catalogue.layout), ...searchRows(version, catalogue.layout)];
  const decision = { package_key: packageVersionKey(item), decision_key: '00000001' };
  await transact(
    [
      undrawOrdinal(),
      remove('packages', packageItemKey(item)),
      remove('decisions', decision),
      ...rows.map(({ p, o }) => remove('catalogue', { p, o })),
      ...countWrites(ordinal, { [cellOf(item)]: -1 }, catalogue),
    ],
    deadline,
  );
};
