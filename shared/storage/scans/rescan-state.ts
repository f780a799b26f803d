import type { PackageId } from '../../domain/packages/package-id.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** How far the scanning of all approved versions has come. */
export interface RescanState {
  /** When it began, ISO 8601. */
  readonly began_at: string;
  /** The ordinal of the last version it has been through; null once it is through all. */
  readonly after: number | null;
}

const stateTable = defineTable<RescanState>('scans');

/** `#` begins no package's key. */
const key = { package_key: '#rescan', scan_key: '#state' };

/** Undefined before the first rescan. */
export const readRescanState = (): Promise<RescanState | undefined> => getItem(stateTable, key);

export const saveRescanState = ({ began_at, after }: RescanState): Promise<void> =>
  putAlone(putItem(stateTable, { ...key, began_at, after }));

/** How far the list of what is still to be scanned has been gone through. */
interface RetryState {
  /** The last version that was tried; null at the end of the list, from where the next run begins anew. */
  readonly after: PackageId | null;
}

const retryTable = defineTable<RetryState>('scans');

const retryKey = { package_key: '#rescan', scan_key: '#unscanned' };

/** The version after which the list is to be gone through; undefined for all of it. */
export const readRetryPosition = async (): Promise<PackageId | undefined> =>
  (await getItem(retryTable, retryKey))?.after ?? undefined;

export const saveRetryPosition = (place: PackageId | undefined): Promise<void> =>
  putAlone(putItem(retryTable, { ...retryKey, after: place ?? null }));
