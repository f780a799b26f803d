import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FunctionCall, PreparedStack } from '@package-registry/local-aws';
import { dataFormat, formatKeyValue } from '../../shared/api/data-format.ts';
import { findTableDefinition, tableIds } from '../../shared/api/resources.ts';
import { type FormatItem, formatKey } from '../../shared/storage/dynamodb/format-item.ts';

/** Returns whether a call is a function's check of the format, which it makes once. */
export const isFormatCheck = ({ operation, body }: FunctionCall): boolean =>
  operation === 'BatchGetItem' && JSON.stringify(body).includes(formatKeyValue);

/**
 * Writes the formats of all tables, as a deployment does, in one call.
 * @param names the tables' names by their environment variables
 */
export const putFormats = async (
  address: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>,
  names: Readonly<Record<string, string>>,
  item: FormatItem = { format: dataFormat },
): Promise<void> => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: 'us-east-1', ...address }),
  );
  const RequestItems = Object.fromEntries(
    tableIds.map((id) => [
      names[findTableDefinition(id).env] ?? id,
      [{ PutRequest: { Item: { ...formatKey(id), ...item } } }],
    ]),
  );
  await client.send(new BatchWriteCommand({ RequestItems }));
  client.destroy();
};

/** Fills the new tables of a stack that deploys no custom resources, so that it starts faster. */
export const seedFormats = ({
  endpoints,
  credentials,
  tables: names,
}: Pick<PreparedStack, 'endpoints' | 'credentials' | 'tables'>): Promise<void> =>
  putFormats({ endpoint: endpoints.aws, credentials }, names);
