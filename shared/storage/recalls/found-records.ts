import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryPartition } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';
import type { RecordChange } from './feed-state.ts';

/** Record of malware that the registry's own scan found on an approved version. The next run of the recalls handles it. */
export interface FoundRecord extends RecordChange {
  readonly ecosystem: Ecosystem;
}

const foundTable = defineTable<FoundRecord & { readonly v: string; readonly k: string }>('reviews');

/** Partition of the records. No version key begins with `#`. */
const partition = '#found-records';

const toKey = ({ id, ecosystem }: FoundRecord) => ({ v: partition, k: `${ecosystem}#${id}` });

/** Returns the write that hands a record to the recalls. */
export const putFoundRecord = (found: FoundRecord): Write =>
  putItem(foundTable, { ...toKey(found), ...found });

/** Most records of one run. The next run continues. */
const mostFound = 100;

/** Returns the records that no run has handled yet. */
export const listFoundRecords = (): Promise<readonly FoundRecord[]> =>
  queryPartition(foundTable, partition, mostFound);

/** Deletes records that a run has handled, or has saved for the next one. */
export const deleteFoundRecords = async (found: readonly FoundRecord[]): Promise<void> => {
  for (const one of found) await deleteAlone(deleteItem(foundTable, toKey(one)));
};
