/** Aligns the engine's tables with the template: creates missing tables, and refuses tables that differ. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { StartError } from '../start-error.ts';
import type { Index, KeyElement, Table } from '../template/model.ts';
import { region } from '../template/names.ts';
import { type EngineAddress, toCredentials } from './address.ts';

/** Thrown if a table in the engine does not match the template. */
export class TableMismatchError extends StartError {
  override name = 'TableMismatchError';
}

const describeIndex = ({ IndexName, KeySchema, Projection }: Index) => ({
  IndexName,
  KeySchema: [...KeySchema],
  Projection: {
    ProjectionType: Projection.ProjectionType,
    ...(Projection.NonKeyAttributes && { NonKeyAttributes: [...Projection.NonKeyAttributes] }),
  },
});

const describeTable = (table: Table): CreateTableCommandInput => ({
  TableName: table.name,
  KeySchema: [...table.keySchema],
  AttributeDefinitions: [...table.attributes],
  BillingMode: 'PAY_PER_REQUEST',
  ...(table.localIndexes.length && {
    LocalSecondaryIndexes: table.localIndexes.map(describeIndex),
  }),
  ...(table.globalIndexes.length && {
    GlobalSecondaryIndexes: table.globalIndexes.map(describeIndex),
  }),
  ...(table.streamViewType !== undefined && {
    StreamSpecification: { StreamEnabled: true, StreamViewType: table.streamViewType },
  }),
});

const createTable = async (client: DynamoDBClient, table: Table): Promise<void> => {
  await client.send(new CreateTableCommand(describeTable(table)));
  if (table.timeToLiveAttribute === undefined) return;
  const TimeToLiveSpecification = { AttributeName: table.timeToLiveAttribute, Enabled: true };
  await client.send(
    new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification }),
  );
};

const formatKeys = (schema: readonly Partial<KeyElement>[] = []): string =>
  schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).join(', ');

type AnyIndex = Partial<Pick<Index, 'IndexName'>> & { KeySchema?: readonly Partial<KeyElement>[] };

const formatIndexes = (list: readonly AnyIndex[] = []): string =>
  list
    .map(({ IndexName, KeySchema }) => `${IndexName} (${formatKeys(KeySchema)})`)
    .sort()
    .join('; ');

/** Returns the properties that only a new table can change, as text to compare. */
const formatShape = (table: CreateTableCommandInput | TableDescription): string =>
  [
    formatKeys(table.KeySchema as KeyElement[]),
    ...(table.AttributeDefinitions ?? [])
      .map((one) => `${one.AttributeName} ${one.AttributeType}`)
      .sort(),
    formatIndexes(table.LocalSecondaryIndexes as Index[]),
    formatIndexes(table.GlobalSecondaryIndexes as Index[]),
    table.StreamSpecification?.StreamViewType,
  ].join('\n');

const checkTable = async (client: DynamoDBClient, table: Table): Promise<void> => {
  const { Table: existing = {} } = await client.send(
    new DescribeTableCommand({ TableName: table.name }),
  );
  if (formatShape(existing) !== formatShape(describeTable(table))) {
    throw new TableMismatchError(`table ${table.name} has other keys, indexes or stream`);
  }
};

const listTables = async (client: DynamoDBClient): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const { TableNames } of paginateListTables({ client }, {})) {
    names.push(...(TableNames ?? []));
  }
  return names;
};

export interface TableOptions {
  readonly engine: EngineAddress;
  /** True if the engine may contain tables outside the template. */
  readonly shared: boolean;
}

/**
 * Creates the missing tables. Resolves to true if all of the template's tables are new.
 * @throws {TableMismatchError} if the engine's tables were created for another template
 */
export const prepareTables = async (
  tables: readonly Table[],
  { engine, shared }: TableOptions,
): Promise<boolean> => {
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region,
    credentials: toCredentials(engine),
  });
  try {
    const existing = await listTables(client);
    const unknown = existing.find((name) => !tables.some((table) => table.name === name));
    if (unknown !== undefined && !shared) {
      throw new TableMismatchError(`table ${unknown} is not one of this version's`);
    }
    for (const table of tables) {
      if (existing.includes(table.name)) await checkTable(client, table);
      else await createTable(client, table);
    }
    return !tables.some(({ name }) => existing.includes(name));
  } finally {
    client.destroy();
  }
};
