import type { RescanRound } from '../../domain/review/rescan-round.ts';
import type { Status } from '../../domain/review/status.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

const roundTable = defineTable<RescanRound>('reviews');

/** No version key begins with `#`. */
const key = { v: '#rescan', k: 'round' };

/** Returns the last complete rescan, as of some seconds ago; undefined before the first one. */
export const readRescanRound = async (): Promise<RescanRound | undefined> =>
  getItem(roundTable, key, { eventual: true });

/** Returns the last complete rescan for a list of versions of a status; undefined if it concerns none of them. */
export const findRescanRound = async (
  status: Status | 'all' | undefined,
): Promise<RescanRound | undefined> =>
  status === undefined || status === 'all' || status === 'approved' ? readRescanRound() : undefined;

export const saveRescanRound = ({ began_at, skipped }: RescanRound): Promise<void> =>
  putAlone(putItem(roundTable, { ...key, began_at, skipped }));
