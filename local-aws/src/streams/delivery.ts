/** Delivers one batch like Lambda's event source mapping: until the batch is processed or given up. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { EventSource } from '../template/model.ts';
import { wait } from '../waiting.ts';
import { findFirstFailed } from './batch-outcome.ts';
import type { Failure } from './failure-record.ts';
import { readArrival } from './stream-event.ts';

export interface DeliveryOptions {
  readonly source: EventSource;
  /** Invokes the function. Rejects if the function fails. */
  readonly invoke: (records: readonly DynamoDBRecord[]) => Promise<unknown>;
  readonly giveUp: (failure: Failure) => void;
  /** Cancels the delivery, which then rejects. */
  readonly signal: AbortSignal;
}

/**
 * First and longest pause between attempts, in milliseconds. They are short for local use; Lambda does not document its
 * pauses.
 */
const firstPauseMs = 50;
const longestPauseMs = 1000;

interface Attempt {
  /** Index of the first failed record, or undefined if the batch succeeded. */
  readonly failedFrom: number | undefined;
  readonly functionError: boolean;
}

/** Invokes the function once and resolves to the outcome. Rejects only if the signal aborts. */
const attempt = async (
  records: readonly DynamoDBRecord[],
  { source, invoke, signal }: DeliveryOptions,
): Promise<Attempt> => {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    const answer = await Promise.race([invoke(records), aborted.promise]);
    const failedFrom = source.reportsItemFailures ? findFirstFailed(records, answer) : undefined;
    return { failedFrom, functionError: false };
  } catch {
    signal.throwIfAborted();
    return { failedFrom: 0, functionError: true };
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** History of a batch. */
interface Past {
  /** Number of retries. A split is not a retry. */
  readonly retries: number;
  readonly invocations: number;
  readonly functionError: boolean;
}

/** Gives up the records that are too old, which come first. Returns the remaining records. */
const dropAged = (
  records: readonly DynamoDBRecord[],
  { invocations, functionError }: Past,
  { source, giveUp }: DeliveryOptions,
): readonly DynamoDBRecord[] => {
  const oldest = Date.now() - source.maxRecordAgeSeconds * 1000;
  const fresh = records.findIndex((record) => readArrival(record) >= oldest);
  const aged = fresh < 0 ? records : records.slice(0, fresh);
  if (aged.length > 0) {
    giveUp({ condition: 'RecordAgeExceeded', records: aged, invocations, functionError });
  }
  return records.slice(aged.length);
};

/** Splits a batch in halves, or returns the part from the failed record on. Each part is then delivered separately. */
const bisect = (
  records: readonly DynamoDBRecord[],
  failedFrom: number,
): readonly (readonly DynamoDBRecord[])[] => {
  if (failedFrom > 0) return [records.slice(failedFrom)];
  const middle = Math.ceil(records.length / 2);
  return [records.slice(0, middle), records.slice(middle)];
};

const pause = ({ retries }: Past, { signal }: DeliveryOptions): Promise<void> =>
  wait(Math.min(firstPauseMs * 2 ** retries, longestPauseMs), signal);

/**
 * Resolves once every record is processed or given up. Records stay in order: while a record is retried, later records
 * wait.
 */
export const deliver = async (
  batch: readonly DynamoDBRecord[],
  options: DeliveryOptions,
  past: Past = { retries: 0, invocations: 0, functionError: false },
): Promise<void> => {
  const { source, giveUp } = options;
  const records = dropAged(batch, past, options);
  if (records.length === 0) return;
  const { failedFrom, functionError } = await attempt(records, options);
  if (failedFrom === undefined) return;
  const now = { ...past, invocations: past.invocations + 1, functionError };
  if (source.bisectsOnError && records.length > 1) {
    await pause(now, options);
    for (const part of bisect(records, failedFrom)) await deliver(part, options, now);
    return;
  }
  const left = records.slice(failedFrom);
  if (past.retries >= source.maxRetryAttempts) {
    const { invocations } = now;
    giveUp({ condition: 'RetryAttemptsExhausted', records: left, invocations, functionError });
    return;
  }
  await pause(now, options);
  await deliver(left, options, { ...now, retries: past.retries + 1 });
};
