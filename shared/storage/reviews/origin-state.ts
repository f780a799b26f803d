import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** State of an origin that does not answer. Without such an item, the origin is available. */
interface FailingOrigin {
  readonly v: string;
  readonly k: Ecosystem;
  /** ISO 8601 in UTC. */
  readonly failing_since: string;
}

const failingOriginsTable = defineTable<FailingOrigin>('reviews');

/** Returns the key of an ecosystem's item. No version key begins with `#`. */
const toKey = (ecosystem: Ecosystem) => ({ v: '#failing-origins', k: ecosystem });

/** True if the origin of an ecosystem did not answer the last time. */
export const isOriginFailing = async (ecosystem: Ecosystem): Promise<boolean> =>
  (await getItem(failingOriginsTable, toKey(ecosystem))) !== undefined;

/** Returns the write that records since when the origin of an ecosystem does not answer. */
export const putFailingOrigin = (ecosystem: Ecosystem, since: Date): Write =>
  putItem(failingOriginsTable, { ...toKey(ecosystem), failing_since: since.toISOString() });

/** Returns the write that records that the origin of an ecosystem answers again. */
export const dropFailingOrigin = (ecosystem: Ecosystem): Write =>
  deleteItem(failingOriginsTable, toKey(ecosystem));
