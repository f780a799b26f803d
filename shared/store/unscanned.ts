import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { type PackageId, packageVersionKey } from '../domain/package-id.ts';
import { dynamodb } from './dynamodb.ts';
import { queryItems } from './query-items.ts';
import type { Write } from './transact.ts';

/** `#` begins no package's key. */
const partition = '#unscanned';

const keyOf = (id: PackageId) => ({ package_key: partition, scan_key: packageVersionKey(id) });

/** Notes that a version could not be scanned, so that it is tried again. */
export const noteUnscanned = ({ ecosystem, name, version }: PackageId): Write => ({
  operation: {
    Put: {
      TableName: tableName('scans'),
      Item: { ...keyOf({ ecosystem, name, version }), ecosystem, name, version },
    },
  },
});

/** Takes a version off the list, whether it was on it or not. */
export const forgetUnscanned = async (id: PackageId): Promise<void> => {
  await dynamodb.send(new DeleteCommand({ TableName: tableName('scans'), Key: keyOf(id) }));
};

/** Up to `count` versions that could not be scanned, those after another one. */
export const listUnscanned = async (
  after: PackageId | undefined,
  count: number,
): Promise<PackageId[]> => {
  const items = await queryItems(
    {
      TableName: tableName('scans'),
      KeyConditionExpression: 'package_key = :key AND scan_key > :after',
      ExpressionAttributeValues: {
        ':key': partition,
        ':after': after ? keyOf(after).scan_key : ' ',
      },
    },
    count,
  );
  return items as unknown as PackageId[];
};
