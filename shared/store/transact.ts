import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RegistryError } from '../domain/errors.ts';
import { dynamodb, type Item } from './dynamodb.ts';

type Operation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction. */
export interface Write {
  readonly operation: Operation;
  /** The error to end with when the write's condition fails; told what is stored, if anything is. */
  readonly refuse?: (stored: Item | undefined) => Error;
}

/** How long a write may go on trying. */
export interface Deadline {
  readonly remainingMs: () => number;
}

const firstDelayMs = 20;
const longestDelayMs = 400;

/** What another moment may not see: codes of cancellations, and names of exceptions. */
const passing = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

const refusal = (
  writes: readonly Write[],
  reasons: readonly CancellationReason[],
): Error | undefined => {
  const failed = writes.findIndex((_, at) => reasons[at]?.Code === 'ConditionalCheckFailed');
  const stored = reasons[failed]?.Item;
  return writes[failed]?.refuse?.(stored && unmarshall(stored));
};

const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return passing.has(error.name);
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
  return codes.some((code) => passing.has(code));
};

/** An earlier attempt that is still under way may succeed yet: then nobody knows whether anything was changed. */
const isUnderWay = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TransactionInProgressException';

const contention = (): RegistryError =>
  new RegistryError(
    'write_contention',
    'Too many writes came at once and this one did not get through. Nothing was changed; try again.',
    { headers: { 'Retry-After': '1' } },
  );

/** Tries again, after a random while, for as long as it fails for a passing reason and the deadline allows. */
export const retrying = async <T>(attempt: () => Promise<T>, deadline: Deadline): Promise<T> => {
  for (let longest = firstDelayMs; ; longest = Math.min(2 * longest, longestDelayMs)) {
    const began = deadline.remainingMs();
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error)) throw error;
      // The SDK waits too, when it is throttled: the next attempt may well take twice as long.
      const left = deadline.remainingMs();
      const needed = longest + 2 * (began - left);
      if (left < needed) throw isUnderWay(error) ? error : contention();
    }
    await delay(Math.random() * longest);
  }
};

/**
 * Writes all or nothing. The same token goes with every attempt, so that an attempt whose answer was lost is not
 * applied twice and does not fail its own conditions. The first write whose condition fails decides the error.
 */
export const transact = async (writes: readonly Write[], deadline: Deadline): Promise<void> => {
  const command = new TransactWriteCommand({
    TransactItems: writes.map(({ operation }) => operation),
    ClientRequestToken: randomUUID(),
  });
  await retrying(async () => {
    try {
      await dynamodb.send(command);
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException && error.CancellationReasons;
      throw (reasons && refusal(writes, reasons)) || error;
    }
  }, deadline);
};
