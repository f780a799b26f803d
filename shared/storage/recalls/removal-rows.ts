import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { queryPartition } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';

/** Report of a collector of upstream metadata: upstream removed an approved version, or has a recalled one again. */
export type Removal =
  | {
      readonly kind: 'gone';
      /** ISO 8601. */
      readonly at: string;
      /** False if upstream has no version of the name; null if that is unknown. */
      readonly hasName: boolean | null;
      readonly reason: string | null;
    }
  | { readonly kind: 'back'; readonly at: string };

/** Row of a report, which waits for the next run of the recalls. */
export type RemovalRow = Removal & PackageId & { readonly v: string; readonly k: string };

const removalsTable = defineTable<RemovalRow>('reviews');

/** Partition of the reports. No version key begins with `#`. */
const partition = '#removals';

/** Returns the write that reports a removal upstream, or the return of a version. A later report replaces an earlier one. */
export const putRemoval = ({ ecosystem, name, version }: PackageId, removal: Removal): Write => {
  const id = { ecosystem, name, version };
  return putItem(removalsTable, { v: partition, k: toVersionKey(id), ...removal, ...id });
};

/** Returns the first reports, in the order of their packages. */
export const listRemovals = (count: number): Promise<readonly RemovalRow[]> =>
  queryPartition(removalsTable, partition, count);

/** Error of the deletion of a report that a later one has replaced. */
export class RemovalReplacedError extends Error {
  override readonly name = 'RemovalReplacedError';
}

/** Returns the write that deletes a report, unless a later one has replaced it. */
export const deleteRemoval = (row: RemovalRow): Write =>
  deleteItem(
    removalsTable,
    { v: row.v, k: row.k },
    {
      ...ifUnchanged(row, ['kind', 'at']),
      refuse: () => new RemovalReplacedError('A later report replaced it'),
    },
  );
