import type { HeldRecallDecision, HeldRecallRequest } from '../../api/schemas/held-recall.ts';
import { RegistryError } from '../../domain/errors.ts';
import { addRegistryRecord } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import {
  confirmRecall,
  dismissRecall,
  dropNames,
  findHeldRecall,
} from '../../storage/recalls/held-recalls.ts';
import { requestPolicyRun } from '../../storage/reviews/policy-run.ts';

/**
 * Decides on a held record of malware: the next run recalls the versions that it names, or the record is dismissed. Writes a
 * record of the decision in the same transaction. After a dismissal, the rules evaluate all pending versions.
 * @throws {RegistryError} `held_recall_not_found` if the record is not on hold, `decision_conflict` if it was put on hold again
 * since the caller saw it, or if another request decided at the same moment
 */
export const decideHeldRecall = async (
  { id, decision, reason, held_at }: HeldRecallRequest & { readonly id: string },
  { actor, now, deadline, remember }: WriteContext<HeldRecallDecision>,
): Promise<HeldRecallDecision> => {
  const record = id.toUpperCase();
  const held = await findHeldRecall(record);
  if (!held) {
    throw new RegistryError(
      'held_recall_not_found',
      `No record ${record} is on hold. GET /api/v1/held-recalls lists those on hold.`,
    );
  }
  const isRecall = decision === 'recall';
  if (isRecall && held.confirmed) {
    throw new RegistryError(
      'decision_conflict',
      `${record} was confirmed ${held.confirmed.at}: the next run recalls its versions.`,
    );
  }
  const refuse = () =>
    new RegistryError(
      'decision_conflict',
      `${record} was put on hold again, or somebody else decided at the same moment. Nothing was changed; read it, and decide again.`,
    );
  if (held_at && held_at !== held.held_at) throw refuse();
  const { label: by } = actor;
  const at = now.toISOString();
  const { versions } = held;
  const answer = { record, decision, reason, by, at, versions };
  await transact(
    [
      ...remember(answer),
      ...(isRecall
        ? confirmRecall(held, { by, at, reason }, refuse)
        : [...dismissRecall(held, refuse), requestPolicyRun(now)]),
      addRegistryRecord(
        {
          ...{ type: isRecall ? 'recall.confirmed' : 'recall.dismissed', by, reason },
          ...{ from: 'held', to: isRecall ? 'confirmed' : 'dismissed', vulnerability: record },
        },
        { actor, at },
      ),
    ],
    deadline,
  );
  if (!isRecall) await dropNames(held);
  return answer;
};
