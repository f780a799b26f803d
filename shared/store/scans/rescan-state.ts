import { getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { putItem } from '../write.ts';
import { putAlone } from '../write-alone.ts';

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

export const keepRescanState = ({ began_at, after }: RescanState): Promise<void> =>
  putAlone(putItem(stateTable, { ...key, began_at, after }));
