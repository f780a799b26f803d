import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { retryRead } from './attempt.ts';
import { dynamodb } from './dynamodb.ts';
import type { Write } from './write.ts';

const refuseBy =
  ({ refuse }: Write) =>
  (error: unknown): never => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw refuse?.(error.Item && unmarshall(error.Item)) ?? error;
  };

/**
 * Makes one put outside a transaction, which costs half as much.
 * A failed condition throws the same error as in a transaction. After a lost answer, the retry may be refused because
 * of
 * the item that the first attempt put.
 */
export const putAlone = async (write: Write): Promise<void> => {
  const { Put } = write.operation;
  if (!Put) throw new TypeError('The write is no put');
  const command = new PutCommand(Put);
  await retryRead((options) => dynamodb.send(command, options)).catch(refuseBy(write));
};

/** Makes one put outside a transaction, and does nothing if its condition fails: a repetition keeps the first item. */
export const putOnce = async (write: Write): Promise<void> => {
  try {
    await putAlone({ operation: write.operation });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};

/** Makes one deletion outside a transaction; errors and retries as in `putAlone`. */
export const deleteAlone = async (write: Write): Promise<void> => {
  const { Delete } = write.operation;
  if (!Delete) throw new TypeError('The write is no deletion');
  const command = new DeleteCommand(Delete);
  await retryRead((options) => dynamodb.send(command, options)).catch(refuseBy(write));
};

/** Makes one update outside a transaction; errors and retries as in `putAlone`. */
export const updateAlone = async (write: Write): Promise<void> => {
  const { Update } = write.operation;
  if (!Update) throw new TypeError('The write is no update');
  const command = new UpdateCommand(Update);
  await retryRead((options) => dynamodb.send(command, options)).catch(refuseBy(write));
};
