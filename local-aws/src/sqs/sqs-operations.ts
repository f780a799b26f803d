/** SQS operations that send, receive and delete messages: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/ */
import * as z from 'zod';
import { ApiError } from '../api-call.ts';
import type { JsonObject } from '../json.ts';
import { describeIssue } from '../schema.ts';
import type { Queue, ReceivedMessage } from './message-queues.ts';
import { describeMessage, hashBody } from './sqs-event.ts';

const maxBatch = 10;

/** Largest message, and largest sum of all messages in a batch, in bytes. */
const maxBytes = 1_048_576;

const seconds = (most: number) => z.int().min(0).max(most).optional();

/** True if XML 1.0 can represent the text. */
const isText = (body: string): boolean =>
  !/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(body);

const QueueUrl = z.string();
const message = { MessageBody: z.string().min(1), DelaySeconds: seconds(900) };
const names = z.array(z.string()).default([]);

const sendSchema = z.strictObject({ QueueUrl, ...message });
const receiveSchema = z.strictObject({
  QueueUrl,
  AttributeNames: names,
  MaxNumberOfMessages: z.int().min(1).max(maxBatch).default(1),
  MessageSystemAttributeNames: names,
  VisibilityTimeout: seconds(43_200),
  WaitTimeSeconds: seconds(20),
});
const deleteSchema = z.strictObject({ QueueUrl, ReceiptHandle: z.string().min(1) });
const attributesSchema = z.strictObject({ QueueUrl, AttributeNames: names });

const id = z.string().regex(/^[\w-]{1,80}$/);
const makeBatchSchema = <S extends z.ZodRawShape>(entry: S) =>
  z.strictObject({ QueueUrl, Entries: z.array(z.strictObject({ Id: id, ...entry })) });

const sendBatchSchema = makeBatchSchema(message);
const deleteBatchSchema = makeBatchSchema({ ReceiptHandle: z.string().min(1) });

const parse = <T>(schema: z.ZodType<T>, body: JsonObject): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('InvalidParameterValueException', describeIssue(parsed.error));
};

const checkBatch = (entries: readonly { readonly Id: string }[]): void => {
  if (entries.length === 0) throw new ApiError('EmptyBatchRequest', 'There is no entry.');
  if (entries.length > maxBatch) {
    throw new ApiError('TooManyEntriesInBatchRequest', `There are more than ${maxBatch} entries.`);
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new ApiError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  }
};

const countBytes = (bodies: readonly string[]): number =>
  bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);

/** Returns the error of an invalid body, or undefined for a valid body. */
const findFault = (body: string): ApiError | undefined =>
  isText(body)
    ? undefined
    : new ApiError('InvalidMessageContents', 'The message has characters that are not allowed.');

const put = (queue: Queue, body: string, delaySeconds: number | undefined): JsonObject => {
  const { messageId } = queue.send(body, delaySeconds);
  return { MessageId: messageId, MD5OfMessageBody: hashBody(body) };
};

const sendMessage: Operation = (queue, body) => {
  const { MessageBody, DelaySeconds } = parse(sendSchema, body);
  if (countBytes([MessageBody]) > Math.min(maxBytes, queue.model.maxMessageBytes)) {
    throw new ApiError('InvalidParameterValueException', 'The message is too long.');
  }
  const fault = findFault(MessageBody);
  if (fault) throw fault;
  return put(queue, MessageBody, DelaySeconds);
};

const sendMessageBatch: Operation = (queue, body) => {
  const { Entries } = parse(sendBatchSchema, body);
  checkBatch(Entries);
  if (countBytes(Entries.map(({ MessageBody }) => MessageBody)) > maxBytes) {
    throw new ApiError('BatchRequestTooLong', 'The messages are longer than a request may be.');
  }
  const faults = new Map(Entries.map((entry) => [entry, findFault(entry.MessageBody)]));
  return {
    Successful: Entries.filter((entry) => !faults.get(entry)).map((entry) => ({
      Id: entry.Id,
      ...put(queue, entry.MessageBody, entry.DelaySeconds),
    })),
    Failed: Entries.flatMap((entry) => {
      const fault = faults.get(entry);
      if (!fault) return [];
      return [{ Id: entry.Id, Code: fault.code, Message: fault.message, SenderFault: true }];
    }),
  };
};

const toAnswer = (wanted: readonly string[]) => (received: ReceivedMessage) => {
  const attributes = Object.entries(describeMessage(received)).filter(
    ([name]) => wanted.includes(name) || wanted.includes('All'),
  );
  return {
    MessageId: received.messageId,
    ReceiptHandle: received.receiptHandle,
    MD5OfBody: hashBody(received.body),
    Body: received.body,
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
  };
};

const receiveMessage: Operation = async (queue, body) => {
  const request = parse(receiveSchema, body);
  const { MaxNumberOfMessages: most, VisibilityTimeout: hidden } = request;
  const waitSeconds = request.WaitTimeSeconds ?? queue.model.receiveWaitSeconds;
  const until = Date.now() + waitSeconds * 1000;
  for (;;) {
    const seen = queue.countArrivals();
    const received = queue.receive(most, hidden);
    const left = until - Date.now();
    if (received.length > 0 || left <= 0) {
      const wanted = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
      return received.length > 0 ? { Messages: received.map(toAnswer(wanted)) } : {};
    }
    await queue.wait(seen, left, neverAborted);
  }
};

const neverAborted = new AbortController().signal;

const deleteMessage: Operation = (queue, body) => {
  queue.delete(parse(deleteSchema, body).ReceiptHandle);
  return {};
};

const deleteMessageBatch: Operation = (queue, body) => {
  const { Entries } = parse(deleteBatchSchema, body);
  checkBatch(Entries);
  for (const { ReceiptHandle } of Entries) queue.delete(ReceiptHandle);
  return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
};

const listAttributes = ({ model, count }: Queue): Readonly<Record<string, string>> => {
  const { visible, handedOut, delayed } = count();
  const { redrive } = model;
  return {
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(handedOut),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    DelaySeconds: String(model.delaySeconds),
    MaximumMessageSize: String(model.maxMessageBytes),
    MessageRetentionPeriod: String(model.retentionSeconds),
    QueueArn: model.arn,
    ReceiveMessageWaitTimeSeconds: String(model.receiveWaitSeconds),
    VisibilityTimeout: String(model.visibilityTimeoutSeconds),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.queueArn,
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  };
};

const getQueueAttributes: Operation = (queue, body) => {
  const { AttributeNames } = parse(attributesSchema, body);
  const attributes = Object.entries(listAttributes(queue)).filter(
    ([name]) => AttributeNames.includes(name) || AttributeNames.includes('All'),
  );
  return attributes.length > 0 ? { Attributes: Object.fromEntries(attributes) } : {};
};

/** Answers one call on one queue. @throws {ApiError} with AWS's error */
export type Operation = (queue: Queue, body: JsonObject) => JsonObject | Promise<JsonObject>;

export const operations: Readonly<Record<string, Operation>> = {
  DeleteMessage: deleteMessage,
  DeleteMessageBatch: deleteMessageBatch,
  GetQueueAttributes: getQueueAttributes,
  ReceiveMessage: receiveMessage,
  SendMessage: sendMessage,
  SendMessageBatch: sendMessageBatch,
};
