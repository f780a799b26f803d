/** Deletes the notes below tmp/. */
import { DeleteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

const database = new DynamoDBClient();
const { NOTES_TABLE: TableName } = process.env;

export const handler = async (): Promise<void> => {
  const { Items = [] } = await database.send(new ScanCommand({ TableName }));
  for (const { path } of Items) {
    if (!path?.S?.startsWith('tmp/')) continue;
    await database.send(new DeleteItemCommand({ TableName, Key: { path } }));
  }
};
