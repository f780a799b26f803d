import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from './database.ts';
import type { TestRegistry } from './registry.ts';

/** Every decision that was recorded on a package version or a license, oldest first. */
export const decisionsOn = async (
  registry: TestRegistry,
  key: string,
): Promise<Record<string, unknown>[]> => {
  const { Items } = await databaseOf(registry).send(
    new QueryCommand({
      TableName: registry.stack.tables['DECISIONS_TABLE'],
      KeyConditionExpression: 'package_key = :key',
      ExpressionAttributeValues: { ':key': key },
    }),
  );
  return Items ?? [];
};
