/** Lambda's event of queue messages, and its result: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { region } from '../template/names.ts';
import type { ReceivedMessage } from './message-queues.ts';

export const hashBody = (body: string): string => createHash('md5').update(body).digest('hex');

/** Returns the system attributes of a message. The sender id is a constant, because local callers have no IAM id. */
export const describeMessage = (message: ReceivedMessage): SQSRecord['attributes'] => ({
  ApproximateReceiveCount: String(message.receiveCount),
  SentTimestamp: String(message.sentAt.getTime()),
  SenderId: 'local',
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt.getTime()),
});

export const makeSqsRecord = (queueArn: string, message: ReceivedMessage): SQSRecord => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: describeMessage(message),
  messageAttributes: {},
  md5OfBody: hashBody(message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const responseSchema = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * Returns the messages that the function processed. A malformed result, or a result with a message of another batch,
 * fails the whole batch: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export const findDone = (
  messages: readonly ReceivedMessage[],
  answer: unknown,
): readonly ReceivedMessage[] => {
  const response = responseSchema.safeParse(answer ?? {});
  if (!response.success) return [];
  const failed = (response.data.batchItemFailures ?? []).map((one) => one.itemIdentifier);
  const isKnown = (id: string): boolean => messages.some(({ messageId }) => messageId === id);
  if (!failed.every(isKnown)) return [];
  return messages.filter(({ messageId }) => !failed.includes(messageId));
};
