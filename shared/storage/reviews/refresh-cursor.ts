import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** How far the schedule of refreshes has sent what is due. Refreshes that were due before `sent_to` are in the queue. */
export interface RefreshCursor {
  /** ISO 8601 in UTC. */
  readonly sent_to: string;
  /** Time at which the schedule last began with the earliest refresh, ISO 8601. */
  readonly began_at: string;
}

interface CursorItem extends RefreshCursor {
  readonly v: string;
  readonly k: Ecosystem;
}

const cursorsTable = defineTable<CursorItem>('reviews');

/** Returns the key of an ecosystem's cursor. No version key begins with `#`. */
const toKey = (ecosystem: Ecosystem) => ({ v: '#refresh-cursors', k: ecosystem });

/** Returns the cursor of an ecosystem; undefined before the first refresh. */
export const findRefreshCursor = (ecosystem: Ecosystem): Promise<RefreshCursor | undefined> =>
  getItem(cursorsTable, toKey(ecosystem));

export const saveRefreshCursor = (
  ecosystem: Ecosystem,
  { sent_to, began_at }: RefreshCursor,
): Promise<void> => putAlone(putItem(cursorsTable, { ...toKey(ecosystem), sent_to, began_at }));
