import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Progress of the sweep that updates the attention rows of all approved versions after a change of settings. */
export interface SweepState {
  /** Settings as text. */
  readonly policy: string;
  /** Sequence number of the last processed version; null after all versions. */
  readonly after: number | null;
  /** Number of the current round for these settings, from 1. */
  readonly round: number;
  /** Number of versions that failed in this round. */
  readonly failed: number;
  /** Start time of the next round, ISO 8601; null during a round, and if no round is needed. */
  readonly again_at: string | null;
}

const sweepTable = defineTable<SweepState>('reviews');

const key = { v: '#sweep', k: '#attention' };

/** Returns the progress of the sweep; undefined before the first sweep. */
export const readSweepState = (): Promise<SweepState | undefined> => getItem(sweepTable, key);

export const saveSweepState = (state: SweepState): Promise<void> =>
  putAlone(putItem(sweepTable, { ...state, ...key }));
