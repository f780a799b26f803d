import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { splitInto } from '../../util/split-into.ts';
import { retryRead, UnprocessedItemsError } from './attempt.ts';
import { dynamodb } from './dynamodb.ts';
import type { Write } from './write.ts';

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/** DynamoDB's limit of items in one call. */
const itemsACall = 25;
const parallelCalls = 10;

const toRequest = ({ operation: { Put, Delete } }: Write) => {
  const { TableName, ConditionExpression } = Put ?? Delete ?? {};
  if (TableName === undefined || ConditionExpression !== undefined) {
    throw new TypeError('The write is neither a put nor a deletion without a condition');
  }
  const request = Put
    ? { PutRequest: { Item: Put.Item } }
    : { DeleteRequest: { Key: Delete?.Key } };
  return { TableName, request };
};

/** Sends one batch, and the rest of it again until nothing is left. */
const sendBatch = (table: string, batch: Requests, deadline: Deadline): Promise<void> => {
  let left = batch;
  return retryRead(async (options) => {
    const command = new BatchWriteCommand({ RequestItems: { [table]: left } });
    const { UnprocessedItems } = await dynamodb.send(command, options);
    left = UnprocessedItems?.[table] ?? [];
    if (left.length > 0) throw new UnprocessedItemsError(`${left.length} items were throttled`);
  }, deadline);
};

/**
 * Makes puts and deletions of different items outside of a transaction, which costs half as much and has no limit of items. Some
 * are done and others not after an error, so that the caller must be able to repeat them.
 * @throws {RegistryError} `storage_unavailable` at the deadline
 */
export const writeBatches = async (writes: readonly Write[], deadline: Deadline): Promise<void> => {
  const tables = groupBy(writes.map(toRequest), ({ TableName }) => TableName);
  for (const [table, requests] of tables) {
    const batches = splitInto(
      itemsACall,
      requests.map(({ request }) => request),
    );
    await runInParallel(batches, parallelCalls, (batch) => sendBatch(table, batch, deadline));
  }
};
