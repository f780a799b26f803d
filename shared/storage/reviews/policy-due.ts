import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { NextEvaluation } from '../../domain/policy/next-evaluation.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** Due evaluation of a version that reaches a minimum age. The time equals that of `next_evaluation` in the review state. */
export interface PolicyDue extends PackageId {
  readonly v: string;
  readonly k: string;
  readonly kind: 'policy';
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

export const policyDueTable = defineTable<PolicyDue>('reviews');

/** Separate partition, so that lists of expiring approvals never read these rows. */
export const policyDuePartition = '#due-policy';

/** Returns the row that schedules an evaluation of a version; undefined if none is needed. */
export const makePolicyRow = (
  { ecosystem, name, version }: PackageId,
  next: NextEvaluation | null,
): PolicyDue | undefined => {
  if (next === null) return undefined;
  const { at } = next;
  const id = { ecosystem, name, version };
  const key = { v: policyDuePartition, k: `${at}#policy#${toVersionKey(id)}` };
  return { ...key, kind: 'policy', due_at: at, ...id };
};

/** Returns the writes that move an evaluation to another time, or cancel it. */
export const movePolicyDue = (
  id: PackageId,
  before: NextEvaluation | null,
  after: NextEvaluation | null,
): Write[] => {
  const [gone, row] = [makePolicyRow(id, before), makePolicyRow(id, after)];
  return [
    // A transaction may contain an item only once.
    ...(gone && gone.k !== row?.k ? [deleteItem(policyDueTable, { v: gone.v, k: gone.k })] : []),
    ...(row && row.k !== gone?.k ? [putItem(policyDueTable, row)] : []),
  ];
};
