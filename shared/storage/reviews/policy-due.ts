import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** That the policy is to look at a version again, which has come of age by then. Its head names that time. */
export interface PolicyDue extends PackageId {
  readonly v: string;
  readonly k: string;
  readonly kind: 'policy';
  /** ISO 8601 in UTC. */
  readonly due_at: string;
}

export const policyDueTable = defineTable<PolicyDue>('reviews');

/** Apart, so that who lists the approvals that run out never reads these. */
export const policyDuePartition = '#due-policy';

/** The row by which the policy looks at a version again; none where it need not. */
export const makePolicyRow = (
  { ecosystem, name, version }: PackageId,
  judgesAt: string | null,
): PolicyDue | undefined => {
  if (judgesAt === null) return undefined;
  const id = { ecosystem, name, version };
  const key = { v: policyDuePartition, k: `${judgesAt}#policy#${toVersionKey(id)}` };
  return { ...key, kind: 'policy', due_at: judgesAt, ...id };
};

/** Has the policy look at a version again at another moment than the one before, or not at all. */
export const movePolicyDue = (
  id: PackageId,
  before: string | null,
  after: string | null,
): Write[] => {
  const [gone, row] = [makePolicyRow(id, before), makePolicyRow(id, after)];
  return [
    // A transaction names an item once.
    ...(gone && gone.k !== row?.k ? [deleteItem(policyDueTable, { v: gone.v, k: gone.k })] : []),
    ...(row && row.k !== gone?.k ? [putItem(policyDueTable, row)] : []),
  ];
};
