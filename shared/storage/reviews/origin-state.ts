import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** That the origin of an ecosystem answers nobody. Without such an item, it answers. */
interface FailingOrigin {
  readonly v: string;
  readonly k: Ecosystem;
  /** ISO 8601 in UTC. */
  readonly failing_since: string;
}

const failingOriginsTable = defineTable<FailingOrigin>('reviews');

/** `#` begins no version's key. */
const toKey = (ecosystem: Ecosystem) => ({ v: '#failing-origins', k: ecosystem });

/** Returns whether the origin of an ecosystem answered nobody the last time. */
export const isOriginFailing = async (ecosystem: Ecosystem): Promise<boolean> =>
  (await getItem(failingOriginsTable, toKey(ecosystem))) !== undefined;

/** Notes since when the origin of an ecosystem answers nobody. */
export const putFailingOrigin = (ecosystem: Ecosystem, since: Date): Write =>
  putItem(failingOriginsTable, { ...toKey(ecosystem), failing_since: since.toISOString() });

/** Notes that the origin of an ecosystem answers again. */
export const dropFailingOrigin = (ecosystem: Ecosystem): Write =>
  deleteItem(failingOriginsTable, toKey(ecosystem));
