import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { licenseKey } from '../domain/licenses/license-id.ts';
import { LicenseRecord } from '../schemas/license.ts';
import { dynamodb } from './dynamodb.ts';

/** DynamoDB refuses an empty key and one over 2,048 bytes; no license has such a name. */
const isKey = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= 2048;

/** The record of a license by any spelling of its identifier; undefined if there is none. */
export const findLicense = async (name: string): Promise<LicenseRecord | undefined> => {
  const key = licenseKey(name);
  if (!isKey(key)) return undefined;
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: tableName('licenses'),
      Key: { license_key: key },
      ConsistentRead: true,
    }),
  );
  // DynamoDB forgets the order of fields; the schema puts them back.
  return Item && LicenseRecord.parse(Item['record']);
};

/** Keeps a license record, in place of any earlier one. */
export const keepLicense = async (record: LicenseRecord): Promise<void> => {
  await dynamodb.send(
    new PutCommand({
      TableName: tableName('licenses'),
      Item: { license_key: licenseKey(record.name), record },
    }),
  );
};
