import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from './database.ts';
import type { TestRegistry } from './registry.ts';

/** Every recorded decision on a version of an npm package, or on a license, oldest first. */
export const decisionsOn = async (
  registry: TestRegistry,
  key: string,
): Promise<Record<string, unknown>[]> => {
  const [kind, name, version = ''] = key.split('#');
  const { Items } = await databaseOf(registry).send(
    new QueryCommand({
      TableName: registry.stack.tables['DECISIONS_TABLE'],
      KeyConditionExpression: 'package_key = :key AND begins_with(decision_key, :version)',
      ExpressionAttributeValues: {
        ':key': `${kind}#${name}`,
        ':version': kind === 'license' ? '2' : `${version} `,
      },
    }),
  );
  return (Items ?? []).filter(({ type }) => type !== 'package.submitted');
};
