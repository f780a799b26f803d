/** Deletes the notes below tmp/, through a queue. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

const database = new DynamoDBClient();
const sqs = new SQSClient();
const { NOTES_TABLE: TableName, SWEPT_QUEUE: QueueUrl } = process.env;

export const handler = async (): Promise<void> => {
  const { Items = [] } = await database.send(new ScanCommand({ TableName }));
  const paths = Items.map(({ path }) => path?.S ?? '').filter((path) => path.startsWith('tmp/'));
  const Entries = paths.slice(0, 10).map((MessageBody, at) => ({ Id: String(at), MessageBody }));
  if (Entries.length > 0) await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
};
