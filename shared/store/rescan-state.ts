import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { dynamodb } from './dynamodb.ts';
import { queryItems } from './query-items.ts';

/** How far the scanning of all approved versions has come. */
export interface RescanState {
  /** When it began, ISO 8601. */
  readonly began_at: string;
  /** The ordinal of the last version it has been through; null once it is through all. */
  readonly after: number | null;
}

/** `#` begins no package's key. */
const key = { package_key: '#rescan', scan_key: '#state' };

/** Undefined before the first rescan. */
export const readRescanState = async (): Promise<RescanState | undefined> => {
  const [item] = await queryItems(
    {
      TableName: tableName('scans'),
      KeyConditionExpression: 'package_key = :key',
      ExpressionAttributeValues: { ':key': key.package_key },
    },
    1,
  );
  return item as RescanState | undefined;
};

export const keepRescanState = async ({ began_at, after }: RescanState): Promise<void> => {
  const Item = { ...key, began_at, after };
  await dynamodb.send(new PutCommand({ TableName: tableName('scans'), Item }));
};
