import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Which settings the rows of attention follow, and how far those of all approved versions have been gone through. */
export interface SweepState {
  /** The settings, as text. */
  readonly policy: string;
  /** The ordinal of the last version; null once all are through. */
  readonly after: number | null;
  /** Counts the times that all are gone through for these settings, from 1. */
  readonly round: number;
  /** How many versions failed in this round. */
  readonly failed: number;
  /** When the next round begins, ISO 8601; null while one is under way, and where none is needed. */
  readonly again_at: string | null;
}

const sweepTable = defineTable<SweepState>('reviews');

const key = { v: '#sweep', k: '#attention' };

/** Undefined before the first one. */
export const readSweepState = (): Promise<SweepState | undefined> => getItem(sweepTable, key);

export const saveSweepState = (state: SweepState): Promise<void> =>
  putAlone(putItem(sweepTable, { ...state, ...key }));
