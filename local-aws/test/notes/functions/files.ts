import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

const database = new DynamoDBClient();
const secrets = new SecretsManagerClient();
const { NOTES_TABLE: TableName, CHANGES_TABLE, KEY_ARN: SecretId } = process.env;

const answer = (statusCode: number, body = ''): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'text/plain' },
  body,
});

const hasKey = async ({ headers }: APIGatewayProxyEvent): Promise<boolean> => {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return headers['X-Key'] === SecretString;
};

const listChanges = async (): Promise<APIGatewayProxyResult> => {
  const { Items = [] } = await database.send(new ScanCommand({ TableName: CHANGES_TABLE }));
  return answer(200, Items.map(({ path, change }) => `${path?.S} ${change?.S}`).join('\n'));
};

const read = async (path: string): Promise<APIGatewayProxyResult> => {
  const { Item } = await database.send(
    new GetItemCommand({ TableName, Key: { path: { S: path } } }),
  );
  return Item ? answer(200, Item['text']?.S) : answer(404);
};

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const path = event.pathParameters?.['path'];
  if (path === undefined) return listChanges();
  if (event.httpMethod === 'GET' || event.httpMethod === 'HEAD') return read(path);
  if (!(await hasKey(event))) return answer(401);
  if (event.httpMethod === 'DELETE') {
    await database.send(new DeleteItemCommand({ TableName, Key: { path: { S: path } } }));
    return answer(204);
  }
  const Item = { path: { S: path }, text: { S: event.body ?? '' } };
  await database.send(new PutItemCommand({ TableName, Item }));
  return answer(201);
};
