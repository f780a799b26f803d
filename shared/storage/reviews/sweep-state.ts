import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Progress of a sweep over many versions after a change of settings or rules. `Place` is where it continues. */
export interface SweepState<Place> {
  /** Settings or rules as text. */
  readonly policy: string;
  /** Place of the last processed version; null after all versions. */
  readonly after: Place | null;
  /** Number of the current round for these settings, from 1. */
  readonly round: number;
  /** Number of versions that failed in this round. */
  readonly failed: number;
  /** Start time of the next round, ISO 8601; null during a round, and if no round is needed. */
  readonly again_at: string | null;
}

/** `attention`: the attention rows of all approved versions. `licenses`: the normalized licenses of all versions. */
type SweepName = 'attention' | 'licenses';

const toKey = (name: SweepName) => ({ v: '#sweep', k: `#${name}` });

/** Returns the progress of a sweep; undefined before the first sweep. */
export const readSweepState = <Place>(name: SweepName): Promise<SweepState<Place> | undefined> =>
  getItem(defineTable<SweepState<Place>>('reviews'), toKey(name));

export const saveSweepState = <Place>(name: SweepName, state: SweepState<Place>): Promise<void> =>
  putAlone(putItem(defineTable<SweepState<Place>>('reviews'), { ...state, ...toKey(name) }));
