import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RegistryError } from '../../domain/errors.ts';
import type { Deadline } from '../../util/deadline.ts';
import { retry } from '../../util/retry.ts';
import {
  attemptOnce,
  findRetryableFailure,
  type RetryableFailure,
  storageRetries,
} from './attempt.ts';
import { dynamodb } from './dynamodb.ts';
import type { Write } from './write.ts';

/** Commit marker: shows if a transaction whose answer was lost was applied. */
export interface CommitMarker {
  /**
   * Idempotency token of attempts whose outcome is unknown, so that they are applied once. Written items may store it.
   */
  readonly writeId: string;
  /** True if the stored items show that this transaction was applied. */
  readonly isWritten: () => Promise<boolean>;
}

/** Returns a unique id for one transaction: 12 random characters. */
export const makeWriteId = (): string => randomBytes(9).toString('base64url');

const retryAfter = { headers: { 'Retry-After': '1' } };

const refuseContention = (): RegistryError =>
  new RegistryError(
    'write_contention',
    'Too many writes came at once and this one did not get through. Nothing was changed; try again.',
    retryAfter,
  );

const refuseUnreached = (): RegistryError =>
  new RegistryError(
    'storage_unavailable',
    'The storage could not be reached. Nothing was changed; try again.',
    retryAfter,
  );

const refuseUnknown = (): RegistryError =>
  new RegistryError(
    'outcome_unknown',
    'The storage did not say whether this was done. Read what is stored before you send it again; with an Idempotency-Key, send it again as it is.',
    retryAfter,
  );

/** Returns the error of a request that passed its deadline and was certainly not applied. */
export const explainDelay = (failures: readonly RetryableFailure[]): RegistryError =>
  failures.at(-1) === 'contention' ? refuseContention() : refuseUnreached();

/** Returns the error of a write that passed its deadline. The failures of its attempts decide what the error says. */
const explainFailures = (failures: readonly RetryableFailure[]): RegistryError =>
  failures.includes('unanswered') ? refuseUnknown() : explainDelay(failures);

/** Sends a write, and retries it until the deadline. `explain` returns the error after the deadline. */
export const retryWrite = <T>(
  send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  deadline: Deadline,
  explain: (failures: readonly RetryableFailure[]) => Error,
): Promise<T> =>
  retry(() => attemptOnce(send, deadline.remainingMs()), {
    ...{ ...storageRetries, deadline, reservedAttempts: 2 },
    isRetryable: (error) => findRetryableFailure(error) !== undefined,
    toError: (errors, isOverdue) =>
      isOverdue
        ? explain(errors.flatMap((error) => findRetryableFailure(error) ?? []))
        : errors.at(-1),
  });

const findRefusal = (
  writes: readonly Write[],
  reasons: readonly CancellationReason[],
): Error | undefined => {
  const failed = writes.findIndex((_, at) => reasons[at]?.Code === 'ConditionalCheckFailed');
  const stored = reasons[failed]?.Item;
  return writes[failed]?.refuse?.(stored && unmarshall(stored));
};

/**
 * Longest wait for the commit marker in milliseconds. The deadline has passed then, and the answer needs the rest of
 * the time that was reserved.
 */
const commitMarkerMs = 800;

/** True if the commit marker shows in time that the transaction was applied. */
const checkCommitMarker = ({ isWritten }: CommitMarker): Promise<boolean> =>
  Promise.race([
    // A failed check of the marker says nothing about the write.
    isWritten().catch(() => false),
    delay(commitMarkerMs, false),
  ]);

const isUnknown = (error: unknown): boolean =>
  error instanceof RegistryError && error.code === 'outcome_unknown';

/**
 * Writes of a transaction, or a function that makes them.
 * The function is called again after a conflict on an item that another item can replace.
 */
type WriteSource = readonly Write[] | (() => readonly Write[]);

const makeCommand = (writes: readonly Write[], ClientRequestToken: string) =>
  new TransactWriteCommand({
    TransactItems: writes.map(({ operation }) => operation),
    ClientRequestToken,
  });

/** Calls `onConflict` of each write whose item had a transaction conflict; true if there was such a write. */
const tellConflicts = (
  writes: readonly Write[],
  reasons: readonly CancellationReason[],
): boolean => {
  const handlers = writes.flatMap(({ onConflict }, at) =>
    onConflict && reasons[at]?.Code === 'TransactionConflict' ? [onConflict] : [],
  );
  for (const handle of handlers) handle();
  return handlers.length > 0;
};

/**
 * Applies all writes in one transaction, or none.
 * Every attempt has the same token. So a retry after a lost answer is not applied twice, and does not fail its own
 * conditions. Writes are made again, with another token, only if no earlier attempt can have been applied. The first
 * write whose condition fails decides the error. If the outcome is unknown at the deadline, the commit marker is
 * checked.
 * @throws {RegistryError} `write_contention` or `storage_unavailable` if nothing was changed, else `outcome_unknown`
 */
export const transact = async (
  source: WriteSource,
  deadline: Deadline,
  commitMarker: CommitMarker = { writeId: makeWriteId(), isWritten: async () => false },
): Promise<void> => {
  const listWrites = () => (typeof source === 'function' ? source() : source);
  let writes = listWrites();
  let command = makeCommand(writes, commitMarker.writeId);
  let isUnheard = false;
  const send = async (options: { readonly abortSignal: AbortSignal }): Promise<void> => {
    try {
      await dynamodb.send(command, options);
    } catch (error) {
      isUnheard ||= findRetryableFailure(error) === 'unanswered';
      const reasons =
        error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      const refusal = findRefusal(writes, reasons);
      if (refusal) throw refusal;
      // An unanswered attempt may be applied; a second one with another token would apply the
      // writes again.
      if (tellConflicts(writes, reasons) && !isUnheard) {
        writes = listWrites();
        command = makeCommand(writes, makeWriteId());
      }
      throw error;
    }
  };
  try {
    await retryWrite(send, deadline, explainFailures);
  } catch (error) {
    if (!isUnknown(error) || !(await checkCommitMarker(commitMarker))) throw error;
  }
};
