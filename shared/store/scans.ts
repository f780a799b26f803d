import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { type PackageId, packageVersionKey } from '../domain/package-id.ts';
import { KeptScanResult, type ScanResult } from '../schemas/scan.ts';
import { dynamodb } from './dynamodb.ts';

/** The latest scan of a package version; undefined if it was never scanned. */
export const findLatestScan = async (id: PackageId): Promise<ScanResult | undefined> => {
  const { Items } = await dynamodb.send(
    new QueryCommand({
      TableName: tableName('scans'),
      KeyConditionExpression: 'package_key = :key',
      ExpressionAttributeValues: { ':key': packageVersionKey(id) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  // DynamoDB forgets the order of fields; the schema puts them back.
  return Items?.[0] && KeptScanResult.parse(Items[0]['result']);
};

/** As text, dates sort by time only where all are equally long. */
const sortableDate = ({ scan_date }: ScanResult): string => new Date(scan_date).toISOString();

/** Keeps a scan. The same scan kept twice is one. */
export const keepScan = async (id: PackageId, result: ScanResult): Promise<void> => {
  await dynamodb.send(
    new PutCommand({
      TableName: tableName('scans'),
      Item: { package_key: packageVersionKey(id), scan_key: sortableDate(result), result },
    }),
  );
};
