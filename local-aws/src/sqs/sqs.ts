/** Part of SQS that sends, receives and deletes messages. */
import { ApiError } from '../api-call.ts';
import type { JsonObject } from '../json.ts';
import { readQueueName } from '../template/names.ts';
import type { Queues } from './message-queues.ts';
import { operations } from './sqs-operations.ts';

/** Resolves to the result of a call. @throws {ApiError} with AWS's error */
export const askSqs = async (
  { byId }: Queues,
  operation: string,
  body: JsonObject,
): Promise<JsonObject> => {
  const run = operations[operation];
  if (run === undefined) {
    throw new ApiError('UnsupportedOperation', `sqs.${operation} is not emulated`);
  }
  const name = readQueueName(body['QueueUrl']);
  const queue = Object.values(byId).find(({ model }) => model.name === name);
  if (queue === undefined) {
    throw new ApiError('QueueDoesNotExist', 'The specified queue does not exist.');
  }
  return run(queue, body);
};
