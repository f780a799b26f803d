/**
 * The embedded DynamoDB engine for the store in this process.
 * The store reads names and endpoint at its first call, so tests may import its modules in any order.
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
} from '@package-registry/local-aws';
import {
  findTableDefinition,
  settingVariables,
  type TableId,
  tableIds,
} from '../../shared/api/resources.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { acceptAnyFormat } from '../../shared/storage/dynamodb/known-format.ts';
import { makeFastFolder } from './fast-folder.ts';

export { type Measurement, measure } from '../capacity/meter.ts';

export interface EngineOptions {
  /** The database file, with or without tables; absent: in memory. */
  readonly file?: string;
}

/** The initial database of many tests: filled once, and copied for each test. */
export interface Snapshot {
  /** Starts an engine on a new copy. */
  start(): Promise<TestEngine>;
  remove(): void;
}

/** The endpoint of the tables, and the credentials. */
type TablesAddress = Pick<RunningTables, 'endpoint' | 'region' | 'credentials'>;

export interface TestEngine extends TablesAddress {
  /** The streams of the tables. */
  readonly streams: StreamsApi;
  close(): Promise<void>;
}

const keySchema = (partitionKey: string, sortKey?: string): readonly KeyElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
];

/** Returns the stack's table for a definition. */
const tableOf = (id: TableId): Table => {
  const definition = findTableDefinition(id);
  const { partitionKey, sortKey, indexes = {}, globalIndexes = {}, streamed } = definition;
  const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
  const globalKeys = Object.values(globalIndexes).flatMap((index) => [
    index.partitionKey,
    index.sortKey,
  ]);
  return {
    id,
    name: id,
    keySchema: keySchema(partitionKey, sortKey),
    attributes: [...keys, ...Object.values(indexes), ...globalKeys].map((name) => ({
      AttributeName: name,
      AttributeType: 'S',
    })),
    localIndexes: Object.entries(indexes).map(([name, attribute]) => ({
      IndexName: name,
      KeySchema: keySchema(partitionKey, attribute),
      Projection: { ProjectionType: 'ALL' },
    })),
    globalIndexes: Object.entries(globalIndexes).map(([name, index]) => ({
      IndexName: name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.projected },
    })),
    ...(streamed && { streamViewType: streamed }),
  };
};

/** The environment of a function. */
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

/** Sets the endpoint of the client, which otherwise keeps the endpoint of its first call. */
const pointClientAt = (endpoint: string): void => {
  const { protocol, hostname, port } = new URL(endpoint);
  dynamodb.config.endpoint = () =>
    Promise.resolve({ protocol, hostname, port: Number(port), path: '/' });
  dynamodb.config.isCustomEndpoint = true;
};

/** Connects the store in this process to these tables. */
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
  // Tests of storage see only the items that they write.
  acceptAnyFormat();
  pointStoreAt(engine);
  const { endpoint, region, credentials, close } = engine;
  const streams = createStreamsApi({ endpoint, ...credentials });
  return { endpoint, region, credentials, streams, close };
};

/** Fills a database with the store in this process, for copies. */
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
