/** Deletes the notes in its queue's messages, and fails for notes named bad. */
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

const database = new DynamoDBClient();
const { NOTES_TABLE: TableName } = process.env;

export const handler = async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
  const isBad = (path: string): boolean => path.endsWith('/bad');
  for (const { body: path } of Records.filter(({ body }) => !isBad(body))) {
    await database.send(new DeleteItemCommand({ TableName, Key: { path: { S: path } } }));
  }
  const batchItemFailures = Records.filter(({ body }) => isBad(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  }));
  return { batchItemFailures };
};
