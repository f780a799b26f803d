/** Stores the last change of each note, and fails for notes named bad. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';

const database = new DynamoDBClient();

export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  for (const { eventName: change = '', dynamodb } of Records) {
    const path = dynamodb?.Keys?.['path']?.S ?? '';
    if (path === 'bad') throw new Error('a bad note');
    const Item = { path: { S: path }, change: { S: change } };
    await database.send(new PutItemCommand({ TableName: process.env['CHANGES_TABLE'], Item }));
  }
};
