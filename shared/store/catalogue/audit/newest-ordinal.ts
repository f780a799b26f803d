import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../../config/env.ts';
import { dynamodb } from '../../dynamodb.ts';
import { ordinalCounterKey } from '../../keys.ts';

/** The newest ordinal that was drawn. */
export const readNewestOrdinal = async (): Promise<number> => {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: tableName('packages'),
      Key: ordinalCounterKey,
      ConsistentRead: true,
    }),
  );
  return Number(Item?.['count'] ?? 0);
};
