import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** That the origin of a version is to be asked, when the time of its key has come. Its head names that time. */
export interface FactsDue extends PackageId {
  readonly v: string;
  readonly k: string;
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

export const factsDueTable = defineTable<FactsDue>('reviews');

/** By ecosystem: versions whose origin is down hold up no others. `#` begins no version's key. */
const toPartition = (ecosystem: Ecosystem): string => `#due-facts#${ecosystem}`;

/** Returns the key of the row by which the origin of a version is asked at a moment. */
export const toFactsDueKey = (id: PackageId, dueAt: string) => ({
  v: toPartition(id.ecosystem),
  k: `${dueAt}#${toVersionKey(id)}`,
});

/** The row of a version whose origin is to be asked at a moment. */
export const makeFactsDue = ({ ecosystem, name, version }: PackageId, dueAt: string): FactsDue => {
  const id = { ecosystem, name, version };
  return { ...toFactsDueKey(id, dueAt), due_at: dueAt, ...id };
};

/** Has the origin of a version be asked at a moment. */
export const putFactsDue = (id: PackageId, dueAt: string): Write =>
  putItem(factsDueTable, makeFactsDue(id, dueAt));

/** Has it be asked at another moment than the one before. */
export const moveFactsDue = (id: PackageId, before: string, after: string): Write[] => [
  // A transaction names an item once.
  ...(before === after ? [] : [deleteItem(factsDueTable, toFactsDueKey(id, before))]),
  putFactsDue(id, after),
];

export const dropFactsDue = ({ v, k }: FactsDue): Write => deleteItem(factsDueTable, { v, k });

/** Returns the first versions of an ecosystem whose origin is to be asked by a moment. */
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
