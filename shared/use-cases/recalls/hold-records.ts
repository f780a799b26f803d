import type { RecallAttention } from '../../domain/recalls/bound-recalls.ts';
import { toHeldRecall } from '../../domain/recalls/held-recall.ts';
import type { MalwareRecord } from '../../domain/recalls/match-record.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import {
  dropNames,
  endHold,
  findHeldRecall,
  holdRecall,
} from '../../storage/recalls/held-recalls.ts';
import { requestPolicyRun } from '../../storage/reviews/policy-run.ts';
import { groupBy } from '../../util/group-by.ts';
import type { RecallContext } from './recall-version.ts';
import { logHeld } from './recall-within-bounds.ts';

type HoldContext = Pick<RecallContext, 'now' | 'deadline'>;

/** Ends the hold of a record, so that rules evaluate the versions of its packages again. */
const release = async (record: string, { now, deadline }: HoldContext): Promise<void> => {
  const held = await findHeldRecall(record);
  if (!held) return;
  await transact([...endHold(held), requestPolicyRun(now)], deadline);
  await dropNames(held);
};

/** Puts a record on hold, and reports its versions, unless it is on hold already with the same content. */
const hold = async (
  record: MalwareRecord,
  versions: readonly [RecallAttention, ...RecallAttention[]],
  { now }: HoldContext,
): Promise<void> => {
  const held = toHeldRecall(record, versions, now);
  const known = await findHeldRecall(record.id);
  if (known?.content === held.content) return;
  logHeld(versions);
  await holdRecall(held);
  // The packages that the record does not name any more are free again.
  const packages = (known?.packages ?? []).filter((name) => !held.packages.includes(name));
  if (known) await dropNames({ ...known, packages });
};

/** Holds each handled record with versions that must not be recalled without a person, and ends the holds of the others. */
export const settleHolds = async (
  handled: readonly MalwareRecord[],
  attention: readonly RecallAttention[],
  context: HoldContext,
): Promise<void> => {
  const versionsOf = groupBy(attention, ({ record }) => record.id);
  for (const record of handled) {
    const [first, ...others] = versionsOf.get(record.id) ?? [];
    await (first ? hold(record, [first, ...others], context) : release(record.id, context));
  }
};
