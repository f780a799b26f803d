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

/** How to know a transaction again whose answer was lost. */
export interface CommitMarker {
  /** Goes with attempts of which nothing was heard, so that they are applied once; what is written may keep it. */
  readonly writeId: string;
  /** Whether what is stored tells that this transaction was applied. */
  readonly isWritten: () => Promise<boolean>;
}

/** Makes what names one transaction: 12 characters, no two alike. */
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

/** The error of what ran out of time, and of which nothing can have come. */
export const explainDelay = (failures: readonly RetryableFailure[]): RegistryError =>
  failures.at(-1) === 'contention' ? refuseContention() : refuseUnreached();

/** The error of a write that ran out of time: what is said of its outcome is what its attempts have shown. */
const explainFailures = (failures: readonly RetryableFailure[]): RegistryError =>
  failures.includes('unanswered') ? refuseUnknown() : explainDelay(failures);

/** Sends a write, and retries it until the deadline. `explain` makes the error of a write that ran out of time. */
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

/** The longest that a witness is waited for: the deadline is over then, and the answer needs what was kept back of it. */
const witnessMs = 800;

/** Whether the witness can tell, in time, that the transaction was applied. */
const askWitness = ({ isWritten }: CommitMarker): Promise<boolean> =>
  Promise.race([
    // What went wrong with the question is not what went wrong with the write.
    isWritten().catch(() => false),
    delay(witnessMs, false),
  ]);

const isUnknown = (error: unknown): boolean =>
  error instanceof RegistryError && error.code === 'outcome_unknown';

/**
 * The writes of a transaction; or what makes them, once more where others were at work on an item in whose place another
 * one will do.
 */
type WriteSource = readonly Write[] | (() => readonly Write[]);

const makeCommand = (writes: readonly Write[], ClientRequestToken: string) =>
  new TransactWriteCommand({
    TransactItems: writes.map(({ operation }) => operation),
    ClientRequestToken,
  });

/** Tells the writes on whose items others were at work; resolves to whether any of them could go elsewhere. */
const tellConflicts = (
  writes: readonly Write[],
  reasons: readonly CancellationReason[],
): boolean => {
  const told = writes.flatMap(({ onConflict }, at) =>
    onConflict && reasons[at]?.Code === 'TransactionConflict' ? [onConflict] : [],
  );
  for (const tell of told) tell();
  return told.length > 0;
};

/**
 * Writes all or nothing. The same token goes with every attempt, so that an attempt whose answer was lost is not
 * applied twice and does not fail its own conditions; only what is known to have come to nothing is made anew, under another
 * one. The first write whose condition fails decides the error. Where nobody answered until the deadline, the witness is
 * asked.
 * @throws {RegistryError} `write_contention` or `storage_unavailable` if nothing was changed, else `outcome_unknown`
 */
export const transact = async (
  source: WriteSource,
  deadline: Deadline,
  witness: CommitMarker = { writeId: makeWriteId(), isWritten: async () => false },
): Promise<void> => {
  const listWrites = () => (typeof source === 'function' ? source() : source);
  let writes = listWrites();
  let command = makeCommand(writes, witness.writeId);
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
      // An attempt that nobody answered may be there: another under another token would come on top of it.
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
    if (!isUnknown(error) || !(await askWitness(witness))) throw error;
  }
};
