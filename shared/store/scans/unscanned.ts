import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import { queryItems } from '../read.ts';
import { defineTable } from '../table.ts';
import { deleteItem, putItem, type Write } from '../write.ts';
import { deleteAlone } from '../write-alone.ts';

/** A note that a version could not be scanned. */
interface UnscannedItem extends PackageId {
  readonly package_key: string;
  readonly scan_key: string;
}

const unscannedTable = defineTable<UnscannedItem>('scans');

/** `#` begins no package's key. */
const partition = '#unscanned';

const toKey = (id: PackageId) => ({ package_key: partition, scan_key: toVersionKey(id) });

/** Notes that a version could not be scanned, so that it is tried again. */
export const noteUnscanned = ({ ecosystem, name, version }: PackageId): Write => {
  const id = { ecosystem, name, version };
  return putItem(unscannedTable, { ...toKey(id), ...id });
};

/** Takes a version off the list, whether it was on it or not. */
export const forgetUnscanned = (id: PackageId): Promise<void> =>
  deleteAlone(deleteItem(unscannedTable, toKey(id)));

/** Up to `count` versions that could not be scanned, those after another one. */
export const listUnscanned = (after: PackageId | undefined, count: number): Promise<PackageId[]> =>
  queryItems(
    unscannedTable,
    {
      KeyConditionExpression: 'package_key = :key AND scan_key > :after',
      ExpressionAttributeValues: {
        ':key': partition,
        ':after': after ? toKey(after).scan_key : ' ',
      },
    },
    count,
  );
