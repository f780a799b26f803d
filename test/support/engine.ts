/**
 * The embedded DynamoDB engine behind the store in this very process.
 * The store reads names and endpoint when it first calls, so tests import its modules as they like.
 */
import { engineCredentials } from '../../infra/local/aws/forwarding.ts';
import { startEngine as startProcess } from '../../infra/local/engine/dynamodb-engine.ts';
import { prepareTables } from '../../infra/local/engine/tables.ts';
import { startWatchdog } from '../../infra/local/engine/watchdog.ts';
import type { Index, Table } from '../../infra/local/template/model.ts';
import { region } from '../../infra/local/template/names.ts';
import { settingVariables, type TableId, tableDefinition, tables } from '../../shared/resources.ts';
import { dynamodb } from '../../shared/store/dynamodb.ts';

export { type Measurement, measure } from '../capacity/meter.ts';

export interface EngineOptions {
  /** The database file, with the tables in it or not yet; absent: in memory. */
  readonly file?: string;
}

export interface TestEngine {
  /** Where it answers, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  close(): Promise<void>;
}

const tableIds = Object.keys(tables) as TableId[];

const keySchema = (partitionKey: string, sortKey?: string): Index['KeySchema'] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
];

/** The table that the stack makes of a definition. */
const tableOf = (id: TableId): Table => {
  const { partitionKey, sortKey, indexes = {} } = tableDefinition(id);
  const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  return {
    id,
    name: id,
    keySchema: keySchema(partitionKey, sortKey),
    attributes: [...keys, ...Object.values(indexes)].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    localIndexes: Object.entries(indexes).map(([name, attribute]) => ({
      IndexName: name,
      KeySchema: keySchema(partitionKey, attribute),
      Projection: { ProjectionType: 'ALL' },
    })),
    globalIndexes: [],
  };
};

/** What a function finds in its environment. */
const setEnvironment = (endpoint: string): void => {
  Object.assign(process.env, {
    ...Object.fromEntries(tableIds.map((id) => [tableDefinition(id).env, id])),
    [settingVariables.counterShards]: '1',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: engineCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineCredentials.secretAccessKey,
  });
};

/** The client keeps the endpoint of its first call; a process that starts another engine has to say so. */
const pointClientAt = (endpoint: string): void => {
  const { protocol, hostname, port } = new URL(endpoint);
  dynamodb.config.endpoint = () =>
    Promise.resolve({ protocol, hostname, port: Number(port), path: '/' });
  dynamodb.config.isCustomEndpoint = true;
};

/** Starts an engine with the tables of the registry, for the store in this process; one at a time. */
export const startEngine = async ({ file }: EngineOptions = {}): Promise<TestEngine> => {
  const watchdog = startWatchdog();
  const engine = await startProcess({
    ...(file !== undefined && { file }),
    watchdog,
    onFailure: (error) => console.error(error.message),
  });
  await prepareTables(tableIds.map(tableOf), { endpoint: engine.endpoint, shared: false });
  setEnvironment(engine.endpoint);
  pointClientAt(engine.endpoint);
  return {
    endpoint: engine.endpoint,
    close: async () => {
      await engine.stop();
      watchdog.close();
    },
  };
};
