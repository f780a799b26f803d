import type { PackageId } from '../../domain/packages/package-id.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Progress of the rescan of all approved versions. */
export interface RescanState {
  /** Start time, ISO 8601. */
  readonly began_at: string;
  /** Sequence number of the last scanned version; null after all versions. */
  readonly after: number | null;
  /** Keys of versions that this round could not scan so far. */
  readonly skipped: readonly string[];
}

const stateTable = defineTable<RescanState>('scans');

/** No package key begins with `#`. */
const key = { package_key: '#rescan', scan_key: '#state' };

/** Returns the progress of the rescan; undefined before the first one. */
export const readRescanState = (): Promise<RescanState | undefined> => getItem(stateTable, key);

export const saveRescanState = ({ began_at, after, skipped }: RescanState): Promise<void> =>
  putAlone(putItem(stateTable, { ...key, began_at, after, skipped }));

/** Progress of the retries of versions without a finished scan. */
interface RetryState {
  /** Last version that was tried; null at the end of the list, after which the next run starts over. */
  readonly after: PackageId | null;
}

const retryTable = defineTable<RetryState>('scans');

const retryKey = { package_key: '#rescan', scan_key: '#unscanned' };

/** Returns the version after which the list continues; undefined to start from the beginning. */
export const readRetryPosition = async (): Promise<PackageId | undefined> =>
  (await getItem(retryTable, retryKey))?.after ?? undefined;

export const saveRetryPosition = (place: PackageId | undefined): Promise<void> =>
  putAlone(putItem(retryTable, { ...retryKey, after: place ?? null }));
