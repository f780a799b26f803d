import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/**
 * Due refresh of a version's upstream metadata. The key contains the time, which equals `refresh_at` of the review
 * state.
 */
export interface FactsDue extends PackageId {
  readonly v: string;
  readonly k: string;
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

export const factsDueTable = defineTable<FactsDue>('reviews');

/**
 * Returns the partition of an ecosystem. An origin that is down delays no other ecosystem. No version key begins with
 * `#`.
 */
const toPartition = (ecosystem: Ecosystem): string => `#due-facts#${ecosystem}`;

/** Returns the key of the row that schedules a refresh of a version. */
export const toFactsDueKey = (id: PackageId, dueAt: string) => ({
  v: toPartition(id.ecosystem),
  k: `${dueAt}#${toVersionKey(id)}`,
});

/** Returns the row that schedules a refresh of a version. */
export const makeFactsDue = ({ ecosystem, name, version }: PackageId, dueAt: string): FactsDue => {
  const id = { ecosystem, name, version };
  return { ...toFactsDueKey(id, dueAt), due_at: dueAt, ...id };
};

/** Returns the write that schedules a refresh of a version. */
export const putFactsDue = (id: PackageId, dueAt: string): Write =>
  putItem(factsDueTable, makeFactsDue(id, dueAt));

/** Returns the writes that move a refresh to another time. */
export const moveFactsDue = (id: PackageId, before: string, after: string): Write[] => [
  // A transaction may contain an item only once.
  ...(before === after ? [] : [deleteItem(factsDueTable, toFactsDueKey(id, before))]),
  putFactsDue(id, after),
];

export const dropFactsDue = ({ v, k }: FactsDue): Write => deleteItem(factsDueTable, { v, k });

/** Returns the first versions of an ecosystem whose refresh is due. */
export const listFactsDue = (ecosystem: Ecosystem, now: Date, count: number): Promise<FactsDue[]> =>
  queryItems(
    factsDueTable,
    {
      KeyConditionExpression: 'v = :due AND k < :until',
      ExpressionAttributeValues: {
        ':due': toPartition(ecosystem),
        ':until': `${now.toISOString()}~`,
      },
    },
    count,
  );
