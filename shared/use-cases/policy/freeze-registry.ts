import type { FreezeRequest, FreezeStatus } from '../../api/schemas/freeze.ts';
import { RegistryError, refuseInvalid } from '../../domain/errors.ts';
import type { Freeze } from '../../domain/review/freeze.ts';
import { addRegistryRecord } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { deleteFreeze, putFreeze, readFreeze } from '../../storage/reviews/freeze.ts';
import { requestPolicyRun } from '../../storage/reviews/policy-run.ts';

/** Returns the freeze in force. */
export const showFreeze = async (): Promise<FreezeStatus> => ({
  freeze: (await readFreeze()) ?? null,
});

/**
 * Freezes the registry, or replaces the freeze in force. Writes a record in the same transaction.
 * @throws {RegistryError} if `before` is in the future
 */
export const freezeRegistry = async (
  { before, reason }: FreezeRequest,
  { actor, now, deadline, remember }: WriteContext<FreezeStatus>,
): Promise<FreezeStatus> => {
  const since = now.toISOString();
  if (before > since) {
    throw refuseInvalid(
      'before',
      `must not be in the future: it is ${since} now, and a freeze takes effect at once`,
    );
  }
  const { label } = actor;
  const freeze: Freeze = { before, reason, since, by: label, token_label: label };
  const from = (await readFreeze()) ? 'frozen' : 'unfrozen';
  const status = { freeze };
  await transact(
    [
      ...remember(status),
      putFreeze(freeze),
      addRegistryRecord(
        { type: 'registry.frozen', by: label, from, to: 'frozen', reason, before },
        { actor, at: since },
      ),
    ],
    deadline,
  );
  return status;
};

/**
 * Lifts the freeze in force, and has the rules evaluate all pending versions. Writes a record in the same transaction.
 * @throws {RegistryError} `not_frozen` without a freeze, `decision_conflict` if another request changed it meanwhile
 */
export const liftFreeze = async ({
  actor,
  now,
  deadline,
  remember,
}: WriteContext<FreezeStatus>): Promise<FreezeStatus> => {
  const freeze = await readFreeze();
  if (!freeze) throw new RegistryError('not_frozen', 'The registry is not frozen.');
  const refuseChanged = () =>
    new RegistryError(
      'decision_conflict',
      'Someone else replaced or lifted the freeze at the same moment. Nothing was changed; read it, and decide again.',
    );
  const { before, reason } = freeze;
  const status = { freeze: null };
  await transact(
    [
      ...remember(status),
      deleteFreeze(freeze, refuseChanged),
      requestPolicyRun(now),
      addRegistryRecord(
        {
          ...{ type: 'registry.unfrozen', by: actor.label, from: 'frozen', to: 'unfrozen' },
          ...{ reason, before },
        },
        { actor, at: now.toISOString() },
      ),
    ],
    deadline,
  );
  return status;
};
