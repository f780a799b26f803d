import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isScannedAutomatically } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';

/**
 * A note that a version is still to be scanned. Each submission puts one, its first finished scan takes it off, and a
 * scan that breaks puts it again: whatever else gets lost, the worker that reads the list comes by it.
 */
interface UnscannedItem extends PackageId {
  readonly package_key: string;
  readonly scan_key: string;
}

const unscannedTable = defineTable<UnscannedItem>('scans');

/** `#` begins no package's key. */
const partition = '#unscanned';

const toKey = (id: PackageId) => ({ package_key: partition, scan_key: toVersionKey(id) });

/** Notes that a version is to be scanned; nothing for what the registry does not scan by itself. */
export const putUnscanned = ({ ecosystem, name, version }: PackageId): Write[] => {
  const id = { ecosystem, name, version };
  return isScannedAutomatically(id) ? [putItem(unscannedTable, { ...toKey(id), ...id })] : [];
};

/** Takes a version off the list, whether it was on it or not. */
export const deleteUnscannedRow = (id: PackageId): Write[] =>
  isScannedAutomatically(id) ? [deleteItem(unscannedTable, toKey(id))] : [];

/** The same by itself. */
export const deleteUnscanned = (id: PackageId): Promise<void> =>
  deleteAlone(deleteItem(unscannedTable, toKey(id)));

/** Up to `count` versions that are still to be scanned, those after another one. */
export const listUnscanned = async (
  after: PackageId | undefined,
  count: number,
): Promise<PackageId[]> => {
  const range = {
    KeyConditionExpression: 'package_key = :key AND scan_key > :after',
    ExpressionAttributeValues: { ':key': partition, ':after': after ? toKey(after).scan_key : ' ' },
  };
  const items = await queryItems(unscannedTable, range, count);
  return items.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
};
