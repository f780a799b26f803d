import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../config/env.ts';
import { splitInto } from '../domain/split-into.ts';
import { runInParallel } from '../in-parallel.ts';
import { attemptPatiently } from './attempt.ts';
import { dynamodb } from './dynamodb.ts';
import { type ItemKey, type StoredItem, type Table, typeItem } from './table.ts';

/** Which items of a table to query for. Reads are strongly consistent, unless it says otherwise: then they cost half. */
export type Range = Pick<
  QueryCommandInput,
  | 'IndexName'
  | 'KeyConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
  | 'ScanIndexForward'
  | 'ConsistentRead'
>;

/** How reads by keys are made: `eventual` ones may miss the writes of the last second, and cost half. */
export interface ReadOptions {
  readonly eventual?: boolean;
}

/** What one call of a query or scan read, and the key to go on from; undefined at the end. */
export interface ItemPage<Item> {
  readonly items: Item[];
  readonly next: ItemKey | undefined;
}

/** DynamoDB's own limit of keys in one call. */
const maxKeys = 100;
const patienceMs = 50;
const parallelCalls = 10;

const toPage = <Item extends object>(
  table: Table<Item>,
  answer: { Items?: StoredItem[] | undefined; LastEvaluatedKey?: StoredItem | undefined },
): ItemPage<Item> => ({
  items: (answer.Items ?? []).map((item) => typeItem(table, item)),
  next: answer.LastEvaluatedKey as ItemKey | undefined,
});

/** Reads one item by its key; undefined if there is none. */
export const getItem = async <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  { eventual = false }: ReadOptions = {},
): Promise<Item | undefined> => {
  const command = new GetCommand({
    TableName: readTableName(table.id),
    Key: key,
    ConsistentRead: !eventual,
  });
  const { Item } = await attemptPatiently((options) => dynamodb.send(command, options));
  return Item && typeItem(table, Item);
};

/** Reads what one call of a query finds, after the item of key `start` where one is given; at most `limit` items if given. */
export const queryPage = async <Item extends object>(
  table: Table<Item>,
  range: Range,
  { start, limit }: { readonly start?: ItemKey | undefined; readonly limit?: number } = {},
): Promise<ItemPage<Item>> => {
  const command = new QueryCommand({
    TableName: readTableName(table.id),
    ConsistentRead: true,
    ...range,
    ...(limit !== undefined && { Limit: limit }),
    ...(start && { ExclusiveStartKey: start }),
  });
  return toPage(table, await attemptPatiently((options) => dynamodb.send(command, options)));
};

/**
 * Reads what a query finds, call by call: all of it, or the first `count`, with at most `limit` items in each. The next
 * call is made once its items are wanted.
 */
export async function* queryPages<Item extends object>(
  table: Table<Item>,
  range: Range,
  {
    limit = Number.POSITIVE_INFINITY,
    count = Number.POSITIVE_INFINITY,
  }: { readonly limit?: number | undefined; readonly count?: number | undefined } = {},
): AsyncGenerator<Item[]> {
  let left = count;
  let start: ItemKey | undefined;
  do {
    const most = Math.min(limit, left);
    const page = await queryPage(table, range, {
      start,
      ...(Number.isFinite(most) && { limit: most }),
    });
    yield page.items;
    left -= page.items.length;
    start = page.next;
  } while (start && left > 0);
}

/** Reads what a query finds: all of it, or the first `count`, in as many calls as that takes. */
export const queryItems = async <Item extends object>(
  table: Table<Item>,
  range: Range,
  count?: number,
): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of queryPages(table, range, { count })) items.push(...page);
  return items;
};

/** Reads some items of a whole table, whatever their keys: those after the item of key `start`. */
export const scanPage = async <Item extends object>(
  table: Table<Item>,
  start: ItemKey | undefined,
  limit: number,
): Promise<ItemPage<Item>> => {
  const command = new ScanCommand({
    TableName: readTableName(table.id),
    ConsistentRead: true,
    Limit: limit,
    ...(start && { ExclusiveStartKey: start }),
  });
  return toPage(table, await attemptPatiently((options) => dynamodb.send(command, options)));
};

/** Reads items of one call's keys. */
const getBatch = async (
  name: string,
  keys: readonly StoredItem[],
  { eventual = false }: ReadOptions,
): Promise<StoredItem[]> => {
  const found: StoredItem[] = [];
  let wanted = [...keys];
  while (wanted.length > 0) {
    const command = new BatchGetCommand({
      RequestItems: { [name]: { Keys: wanted, ConsistentRead: !eventual } },
    });
    const { Responses, UnprocessedKeys } = await attemptPatiently((options) =>
      dynamodb.send(command, options),
    );
    found.push(...(Responses?.[name] ?? []));
    wanted = UnprocessedKeys?.[name]?.Keys ?? [];
    // What is left over was throttled, or more than one answer holds.
    if (wanted.length > 0) await delay(Math.random() * patienceMs);
  }
  return found;
};

/** Reads items by their keys, in no particular order; keys without an item are left out. */
export const batchGet = async <Item extends object>(
  table: Table<Item>,
  keys: readonly ItemKey[],
  options: ReadOptions = {},
): Promise<Item[]> => {
  const name = readTableName(table.id);
  // DynamoDB refuses a key that comes twice.
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  const found = await runInParallel(splitInto(maxKeys, distinct), parallelCalls, (batch) =>
    getBatch(name, batch, options),
  );
  return found.flat().map((item) => typeItem(table, item));
};
