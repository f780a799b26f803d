/** Delivers one batch as Lambda's event source mapping does: until it is done with, or given up. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { EventSource } from '../template/model.ts';
import { wait } from '../waiting.ts';
import { findFirstFailed } from './batch-outcome.ts';
import type { Failure } from './failure-record.ts';
import { readArrival } from './stream-event.ts';

export interface DeliveryOptions {
  readonly source: EventSource;
  /** Rejects when the function fails. */
  readonly invoke: (records: readonly DynamoDBRecord[]) => Promise<unknown>;
  readonly giveUp: (failure: Failure) => void;
  /** Ends a delivery at once: it then rejects. */
  readonly signal: AbortSignal;
}

/** Lambda does not say how long it waits between attempts; here nobody wants to wait for long. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

interface Attempt {
  /** Where the function wants to go on, or undefined when it is done. */
  readonly failedFrom: number | undefined;
  readonly functionError: boolean;
}

/** Rejects only when the signal says so. */
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

/** What a batch has been through. */
interface Past {
  /** How often it was tried again; splitting it does not count. */
  readonly retries: number;
  readonly invocations: number;
  readonly functionError: boolean;
}

/** Gives up the records that are too old, which are the first ones; returns the others. */
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

/** The halves of a batch, or what is left of it from the record that failed: each is then tried by itself. */
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
 * Resolves once the function is done with every record, or they were given up. Records are never overtaken: while one
 * is tried again, those after it wait.
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
