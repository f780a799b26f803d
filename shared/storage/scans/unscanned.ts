import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isScannedAutomatically } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';

/**
 * Row of a version that waits for its first finished scan. Each submission adds it, a finished scan deletes it, and a
 * scan error adds it again. A worker reads this list, so no version is lost if another message is.
 */
interface UnscannedItem extends PackageId {
  readonly package_key: string;
  readonly scan_key: string;
}

const unscannedTable = defineTable<UnscannedItem>('scans');

/** No package key begins with `#`. */
const partition = '#unscanned';

const toKey = (id: PackageId) => ({ package_key: partition, scan_key: toVersionKey(id) });

/** Returns the write that adds a version to the list; none if the registry does not scan it automatically. */
export const putUnscanned = ({ ecosystem, name, version }: PackageId): Write[] => {
  const id = { ecosystem, name, version };
  return isScannedAutomatically(id) ? [putItem(unscannedTable, { ...toKey(id), ...id })] : [];
};

/** Returns the write that deletes a version from the list, if the registry scans it automatically. */
export const deleteUnscannedRow = (id: PackageId): Write[] =>
  isScannedAutomatically(id) ? [deleteItem(unscannedTable, toKey(id))] : [];

/** Deletes a version from the list outside a transaction. */
export const deleteUnscanned = (id: PackageId): Promise<void> =>
  deleteAlone(deleteItem(unscannedTable, toKey(id)));

/** Returns up to `count` listed versions, after version `after` if given. */
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
