import { getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { putItem } from '../write.ts';
import { putAlone } from '../write-alone.ts';

/** Which settings the rows of attention follow, and how far those of all approved versions have been gone through. */
export interface SweepState {
  /** The settings, as text. */
  readonly policy: string;
  /** The ordinal of the last version; null once all are through. */
  readonly after: number | null;
}

const sweepTable = defineTable<SweepState>('reviews');

const key = { v: '#sweep', k: '#attention' };

/** Undefined before the first one. */
export const readSweepState = (): Promise<SweepState | undefined> => getItem(sweepTable, key);

export const keepSweepState = ({ policy, after }: SweepState): Promise<void> =>
  putAlone(putItem(sweepTable, { ...key, policy, after }));
