import {
  type SendMessageBatchRequestEntry as Entry,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueId } from '../../api/resources.ts';
import { readQueueUrl } from '../../api/settings/env.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';

/** SQS client without retries of its own: the code below also retries parts of a batch. */
const sqs = new SQSClient({
  maxAttempts: 1,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
});

/** SQS limit of messages in one request. */
const maxBatch = 10;

const maxAttempts = 5;
const delayMs = exponentialDelay({ firstMs: 100, longestMs: 2000 });

/** Time that retries must leave for later work, in milliseconds; more than one attempt can take. */
const reserveMs = 5000;

/** The queue did not accept some messages. */
class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

/** Sends one batch, and returns the entries that a retry may deliver. Permanently refused ones are only logged. */
const sendBatch = async (queue: QueueId, batch: readonly Entry[]): Promise<readonly Entry[]> => {
  const command = new SendMessageBatchCommand({
    QueueUrl: readQueueUrl(queue),
    Entries: [...batch],
  });
  try {
    const { Successful = [], Failed = [] } = await sqs.send(command);
    for (const { Code, Message, SenderFault } of Failed) {
      const level = SenderFault ? 'error' : 'warn';
      logEvent(level, 'message_not_taken', { queue, code: Code, message: Message });
    }
    const done = [...Successful, ...Failed.filter(({ SenderFault }) => SenderFault)];
    const ids = new Set(done.map(({ Id }) => Id));
    return batch.filter(({ Id }) => !ids.has(Id));
  } catch (error) {
    logEvent('warn', 'messages_not_sent', { queue, count: batch.length, error });
    return batch;
  }
};

/** Sends all entries in batches, and returns those to retry. */
const sendAll = async (queue: QueueId, entries: readonly Entry[]): Promise<readonly Entry[]> => {
  const left: Entry[] = [];
  for (let at = 0; at < entries.length; at += maxBatch) {
    left.push(...(await sendBatch(queue, entries.slice(at, at + maxBatch))));
  }
  return left;
};

/**
 * Sends messages to a queue, and returns the indexes of messages that were not delivered in the end. Undelivered messages
 * are retried up to four times while time allows. Permanently refused ones are logged and not returned.
 */
export const sendMessages = async (
  queue: QueueId,
  bodies: readonly string[],
  deadline: Deadline,
): Promise<ReadonlySet<number>> => {
  let left: readonly Entry[] = bodies.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
  const sendLeft = async (): Promise<void> => {
    left = await sendAll(queue, left);
    if (left.length > 0) throw new NotTakenError();
  };
  try {
    await retry(sendLeft, {
      ...{ attempts: maxAttempts, delayMs, jitter: 1 },
      deadline: { remainingMs: () => deadline.remainingMs() - reserveMs },
      isRetryable: (error) => error instanceof NotTakenError,
    });
  } catch (error) {
    if (!(error instanceof NotTakenError)) throw error;
  }
  return new Set(left.map(({ Id }) => Number(Id)));
};
