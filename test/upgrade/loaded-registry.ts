import { BatchWriteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { PreparedStack } from '@package-registry/local-aws';
import { findTableDefinition, type TableId, tableIds } from '../../shared/api/resources.ts';
import {
  type FormatItem,
  formatKey,
  isFormatItem,
} from '../../shared/storage/dynamodb/format-item.ts';
import { exercisedPolicy } from '../contract/policy-exercises.ts';

import { FunctionClock } from '../support/function-clocks.ts';
import { redeployWith } from '../support/redeploy.ts';
import { type StartOptions, TestRegistry } from '../support/registry.ts';
import type { Items, ReadAnswer, ReleaseData } from './release-data.ts';

/** The most items that DynamoDB writes in one call. */
const batchSize = 25;

type Tables = ReleaseData['tables'];

const clientOf = ({ endpoints, credentials }: PreparedStack): DynamoDBClient =>
  new DynamoDBClient({ endpoint: endpoints.aws, region: 'us-east-1', credentials });

const nameOf = ({ tables }: PreparedStack, id: TableId): string =>
  tables[findTableDefinition(id).env] ?? id;

const scanAll = async (client: DynamoDBClient, name: string): Promise<Items> => {
  const items: Items[number][] = [];
  let next: Items[number] | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: name, ...(next && { ExclusiveStartKey: { ...next } }) }),
    );
    items.push(...(page.Items ?? []));
    next = page.LastEvaluatedKey;
  } while (next);
  return items;
};

/** Returns all items of all tables. */
export const readTables = async (stack: PreparedStack): Promise<Tables> => {
  const client = clientOf(stack);
  const entries = await Promise.all(
    tableIds.map(async (id) => [id, await scanAll(client, nameOf(stack, id))] as const),
  );
  client.destroy();
  return Object.fromEntries(entries) as unknown as Tables;
};

/** Writes items into the tables of a stack. */
const loadTables = async (stack: PreparedStack, tables: Tables): Promise<void> => {
  const client = clientOf(stack);
  const load = async (id: TableId): Promise<void> => {
    for (let at = 0; at < tables[id].length; at += batchSize) {
      const puts = tables[id]
        .slice(at, at + batchSize)
        .map((item) => ({ PutRequest: { Item: { ...item } } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [nameOf(stack, id)]: puts } }));
    }
  };
  await Promise.all(tableIds.map(load));
  client.destroy();
};

/** Settings of a registry with the data of a release. No stream, queue or schedule changes the data. */
export const settings: StartOptions = {
  policy: exercisedPolicy,
  signDecisions: true,
  // Answers name the origin, which nobody asks.
  originUrl: 'https://origin.example.com',
  transform: (model) => ({ ...model, eventSources: {}, queueSources: {} }),
};

/** Returns a clock that begins at this time. */
export const makeClock = (at: string): FunctionClock => {
  const clock = new FunctionClock();
  clock.pass(Date.parse(at) - Date.now());
  return clock;
};

/** Starts a registry with the data of a release, at the time of its answers. */
export const startLoaded = (
  { tables, recordedAt }: Pick<ReleaseData, 'tables' | 'recordedAt'>,
  options: StartOptions = {},
): Promise<TestRegistry> => {
  return TestRegistry.start({
    clock: makeClock(recordedAt),
    ...settings,
    ...options,
    seed: (stack) => loadTables(stack, tables),
  });
};

/** Returns the format of each table, as `format` and what else its item says. */
export const readFormats = async ({ stack }: TestRegistry): Promise<FormatItem[]> => {
  const tables = await readTables(stack);
  return tableIds.map((id) => {
    const item = tables[id]
      .map((one) => unmarshall({ ...one }))
      .find((one) => isFormatItem(id, one));
    const keys = Object.keys(formatKey(id));
    const rest = Object.entries(item ?? {}).filter(([name]) => !keys.includes(name));
    return Object.fromEntries(rest) as unknown as FormatItem;
  });
};

/** Deploys the migration of an assembly. */
export const migrate = (registry: TestRegistry, assembly: string): Promise<void> =>
  redeployWith(registry, { type: 'Custom::DataFormat', assembly, before: () => ({}) });

/** Returns the body of a response as JSON, without what differs in each response; other bodies as text. */
const readBody = (text: string): unknown => {
  try {
    const { request_id: _, ...body } = JSON.parse(text);
    return body;
  } catch {
    return text;
  }
};

/** Returns the responses to GET requests, with the address of the registry as `REGISTRY`. */
export const readAnswers = async (
  { url }: TestRegistry,
  paths: readonly string[],
): Promise<ReadAnswer[]> => {
  const answers: ReadAnswer[] = [];
  for (const path of paths) {
    const response = await fetch(`${url}${path}`, { redirect: 'manual' });
    const body = readBody((await response.text()).replaceAll(url, 'REGISTRY'));
    answers.push({ path, status: response.status, body });
  }
  return answers;
};
