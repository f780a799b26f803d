/**
 * The embedded DynamoDB engine behind the store in this very process.
 * The store reads names and endpoint when it first calls, so tests import its modules as they like.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createStreamsApi,
  type KeyElement,
  type RunningTables,
  type StreamsApi,
  startTables,
  type Table,
} from 'local-aws';
import {
  findTableDefinition,
  settingVariables,
  type TableId,
  tables,
} from '../../shared/api/resources.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { makeFastFolder } from './fast-folder.ts';

export { type Measurement, measure } from '../capacity/meter.ts';

export interface EngineOptions {
  /** The database file, with the tables in it or not yet; absent: in memory. */
  readonly file?: string;
}

/** A database that many tests begin with: filled once, and copied for each. */
export interface Snapshot {
  /** Starts an engine on a copy of its own. */
  start(): Promise<TestEngine>;
  remove(): void;
}

/** Where the tables are, and as whom to ask. */
type TablesAddress = Pick<RunningTables, 'endpoint' | 'region' | 'credentials'>;

export interface TestEngine extends TablesAddress {
  /** What the tables' streams tell. */
  readonly streams: StreamsApi;
  close(): Promise<void>;
}

const tableIds = Object.keys(tables) as TableId[];

const keySchema = (partitionKey: string, sortKey?: string): readonly KeyElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
];

/** The table that the stack makes of a definition. */
const tableOf = (id: TableId): Table => {
  const { partitionKey, sortKey, indexes = {}, streamed } = findTableDefinition(id);
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
    ...(streamed && { streamViewType: streamed }),
  };
};

/** What a function finds in its environment. */
const setEnvironment = ({ endpoint, region, credentials }: TablesAddress): void => {
  Object.assign(process.env, {
    ...Object.fromEntries(tableIds.map((id) => [findTableDefinition(id).env, id])),
    [settingVariables.counterShards]: '1',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
};

/** The client keeps the endpoint of its first call; a process that starts another engine has to say so. */
const pointClientAt = (endpoint: string): void => {
  const { protocol, hostname, port } = new URL(endpoint);
  dynamodb.config.endpoint = () =>
    Promise.resolve({ protocol, hostname, port: Number(port), path: '/' });
  dynamodb.config.isCustomEndpoint = true;
};

/** Has the store in this process use the tables there. */
export const pointStoreAt = (address: TablesAddress): void => {
  setEnvironment(address);
  pointClientAt(address.endpoint);
};

/** Starts an engine with the tables of the registry, for the store in this process; one at a time. */
export const startEngine = async ({ file }: EngineOptions = {}): Promise<TestEngine> => {
  const engine = await startTables(tableIds.map(tableOf), {
    ...(file !== undefined && { file }),
    onFailure: (error) => console.error(error.message),
  });
  pointStoreAt(engine);
  const { endpoint, region, credentials, close } = engine;
  const streams = createStreamsApi({ endpoint, ...credentials });
  return { endpoint, region, credentials, streams, close };
};

/** Fills a database by the store in this process, to be copied. */
export const takeSnapshot = async (fill: () => Promise<void>): Promise<Snapshot> => {
  const folder = makeFastFolder('snapshot-');
  const file = join(folder, 'filled');
  const engine = await startEngine({ file });
  await fill();
  await engine.close();
  let copies = 0;
  return {
    start: async () => {
      copies += 1;
      const copy = join(folder, `copy-${copies}`);
      copyFileSync(file, copy);
      return startEngine({ file: copy });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
