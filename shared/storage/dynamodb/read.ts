import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { splitInto } from '../../util/split-into.ts';
import { retryRead } from './attempt.ts';
import { dynamodb } from './dynamodb.ts';
import { isReadingEventually } from './eventual-reads.ts';
import { isFormatItem } from './format-item.ts';
import { hasReadUnits, isReadMetered, readMetered } from './read-budget.ts';
import { type ItemKey, type StoredItem, type Table, typeItem } from './table.ts';

/** Range of items in a query. Reads are strongly consistent by default; eventually consistent reads cost half. */
export type Range = Pick<
  QueryCommandInput,
  | 'IndexName'
  | 'KeyConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
  | 'ScanIndexForward'
  | 'ConsistentRead'
>;

/** Options of reads by key. Reads with `eventual` may miss writes of the last second, and cost half. */
export interface ReadOptions {
  readonly eventual?: boolean;
}

/** Options of a batch of reads by key. */
export interface BatchOptions extends ReadOptions {
  /** Most read units of one item; by default those of the largest review state. */
  readonly unitsAnItem?: number;
  /** Estimate of the read units of an item, from earlier batches of the request. */
  readonly estimate?: ReadEstimate;
  /** Number of keys in one call. */
  readonly keysACall?: number;
}

/** Items that one call of a query or scan read, and the start key of the next call; undefined at the end. */
export interface ItemPage<Item> {
  readonly items: Item[];
  readonly next: ItemKey | undefined;
}

/** Items that one query call read, and the consumed read units; undefined without a read budget. */
export interface MeteredPage<Item> extends ItemPage<Item> {
  readonly units: number | undefined;
}

/** DynamoDB's limit of keys in one call. */
const maxKeys = 100;
/** DynamoDB's limits of one item and of one query call, in read units of 4 KB. */
const largestItem = 100;
const largestPage = 256;
/** Read units of the largest review state: ten tools in each of eleven scan sources, with labels and reasons. */
const largestHead = 20;
/** Longest delay in milliseconds before unprocessed keys are read again. */
const unprocessedDelayMs = 50;
const parallelCalls = 10;

const toPage = <Item extends object>(
  table: Table<Item>,
  answer: { Items?: StoredItem[] | undefined; LastEvaluatedKey?: StoredItem | undefined },
): ItemPage<Item> => ({
  items: (answer.Items ?? []).map((item) => typeItem(table, item)),
  next: answer.LastEvaluatedKey as ItemKey | undefined,
});

/** Returns the units of a read: half for eventually consistent reads. */
const halve = (units: number, eventual: boolean): number => (eventual ? units / 2 : units);

/** Returns the item of a key; undefined if there is none. */
export const getItem = async <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  { eventual = isReadingEventually() }: ReadOptions = {},
): Promise<Item | undefined> => {
  const input = {
    TableName: readTableName(table.id),
    Key: key,
    ConsistentRead: !eventual,
  };
  const { answer } = await readMetered(
    () => halve(largestItem, eventual),
    (metered) => {
      const command = new GetCommand({ ...input, ...metered });
      return retryRead((options) => dynamodb.send(command, options));
    },
  );
  return answer.Item && typeItem(table, answer.Item);
};

/** Part of a range that one query call reads. */
interface PagePart {
  readonly start?: ItemKey | undefined;
  readonly limit?: number;
  /** Most read units of one item; by default as many as the largest item that DynamoDB stores. */
  readonly unitsAnItem?: number;
  /** Most read units of the call, if its items are known to be small. */
  readonly mostUnits?: number;
}

/** Returns the items that one query call finds: after the item of key `start`, and at most `limit` items, if given. */
export const queryPage = async <Item extends object>(
  table: Table<Item>,
  range: Range,
  { start, limit, unitsAnItem, mostUnits }: PagePart = {},
): Promise<MeteredPage<Item>> => {
  const input = {
    TableName: readTableName(table.id),
    ConsistentRead: !isReadingEventually(),
    ...range,
    ...(limit !== undefined && { Limit: limit }),
    ...(start && { ExclusiveStartKey: start }),
  };
  const { answer, units } = await readMetered(
    () => mostUnits ?? findLargestPage(range, limit, unitsAnItem),
    (metered) => {
      const command = new QueryCommand({ ...input, ...metered });
      return retryRead((options) => dynamodb.send(command, options));
    },
  );
  return { ...toPage(table, answer), units };
};

/** Returns the most read units that one query call can consume. */
const findLargestPage = (
  { ConsistentRead = true }: Range,
  limit = largestPage,
  unitsAnItem = largestItem,
): number => halve(Math.min(largestPage, limit * unitsAnItem), !ConsistentRead);

/** True if the budget allows another call of a query, and leaves as many units for other reads. */
const mayReadOn = (range: Range): boolean => hasReadUnits(2 * findLargestPage(range));

/**
 * Yields the items that a query finds, page by page: all items, or the first `count`, at most `limit` in each page.
 * The next call is made when its items are requested.
 */
export async function* queryPages<Item extends object>(
  table: Table<Item>,
  range: Range,
  {
    limit = Number.POSITIVE_INFINITY,
    count = Number.POSITIVE_INFINITY,
    endsEarly = false,
  }: {
    readonly limit?: number | undefined;
    readonly count?: number | undefined;
    /** True if the query ends early when the read budget is used up, instead of a refusal. */
    readonly endsEarly?: boolean;
  } = {},
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
  } while (start && left > 0 && (!endsEarly || mayReadOn(range)));
}

/** Returns all items that a query finds, or the first `count`, in as many calls as necessary. */
export const queryItems = async <Item extends object>(
  table: Table<Item>,
  range: Range,
  count?: number,
  { endsEarly = false }: { readonly endsEarly?: boolean } = {},
): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of queryPages(table, range, { count, endsEarly })) items.push(...page);
  return items;
};

/** Returns all items of a partition of the table `reviews`, or the first `count`, in as many calls as necessary. */
export const queryPartition = <Item extends { readonly v: string }>(
  table: Table<Item>,
  partition: string,
  count?: number,
): Promise<Item[]> =>
  queryItems(
    table,
    {
      KeyConditionExpression: 'v = :partition',
      ExpressionAttributeValues: { ':partition': partition },
    },
    count,
  );

/** One of several parts of a table, which can be scanned in parallel. All items of a partition key are in one part. */
export interface Segment {
  /** Number of the part, from 0. */
  readonly number: number;
  /** Number of parts. */
  readonly of: number;
}

/** The only segment of a scan in one part. */
export const wholeTable: Segment = { number: 0, of: 1 };

/** Returns one page of a scan of a table segment, after the item of key `start`. */
export const scanPage = async <Item extends object>(
  table: Table<Item>,
  segment: Segment,
  { start, limit }: { readonly start: ItemKey | undefined; readonly limit: number },
): Promise<ItemPage<Item>> => {
  const command = new ScanCommand({
    TableName: readTableName(table.id),
    ConsistentRead: !isReadingEventually(),
    Limit: limit,
    Segment: segment.number,
    TotalSegments: segment.of,
    ...(start && { ExclusiveStartKey: start }),
  });
  const page = toPage(table, await retryRead((options) => dynamodb.send(command, options)));
  return { ...page, items: page.items.filter((item) => !isFormatItem(table.id, item)) };
};

/** Estimate of the read units that keys consume. */
export interface ReadEstimate {
  readonly of: (keys: number) => number;
  /** Records the units that some keys consumed; undefined without a budget. */
  readonly learn: (keys: number, used: number | undefined) => void;
}

/**
 * Returns an estimate that starts with `most` units for each key.
 * After each read, the estimate is twice the units that the keys consumed, at least 1 and at most `most`.
 */
export const createEstimate = (most: number): ReadEstimate => {
  let units = most;
  return {
    of: (keys: number): number => keys * units,
    learn: (keys: number, used: number | undefined): void => {
      if (used !== undefined) units = Math.min(most, Math.max(1, (2 * used) / keys));
    },
  };
};

/** Returns the items of one batch of keys. Reads unprocessed keys again. */
const getBatch = async (
  name: string,
  keys: readonly StoredItem[],
  { eventual, estimate }: { readonly eventual: boolean; readonly estimate: ReadEstimate },
): Promise<StoredItem[]> => {
  const found: StoredItem[] = [];
  let wanted = [...keys];
  while (wanted.length > 0) {
    const RequestItems = { [name]: { Keys: wanted, ConsistentRead: !eventual } };
    const asked = wanted.length;
    const { answer, units } = await readMetered(
      () => estimate.of(asked),
      (metered) => {
        const command = new BatchGetCommand({ RequestItems, ...metered });
        return retryRead((options) => dynamodb.send(command, options));
      },
    );
    estimate.learn(asked, units);
    const { Responses, UnprocessedKeys } = answer;
    found.push(...(Responses?.[name] ?? []));
    wanted = UnprocessedKeys?.[name]?.Keys ?? [];
    // Unprocessed keys were throttled, or exceeded the size limit of one answer.
    if (wanted.length > 0) await delay(Math.random() * unprocessedDelayMs);
  }
  return found;
};

/** Returns the number of keys for one call. With a budget it is half, so that a call of large items fits. */
const chooseKeysACall = (): number => (isReadMetered() ? maxKeys / 2 : maxKeys);

/** Returns items by their keys, in no particular order. Keys without an item are omitted. */
export const batchGet = async <Item extends object>(
  table: Table<Item>,
  keys: readonly ItemKey[],
  options: BatchOptions = {},
): Promise<Item[]> => {
  const {
    eventual = isReadingEventually(),
    unitsAnItem = largestHead,
    keysACall = chooseKeysACall(),
  } = options;
  const { estimate = createEstimate(halve(unitsAnItem, eventual)) } = options;
  const name = readTableName(table.id);
  // DynamoDB refuses duplicate keys.
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  const found = await runInParallel(splitInto(keysACall, distinct), parallelCalls, (batch) =>
    getBatch(name, batch, { eventual, estimate }),
  );
  return found.flat().map((item) => typeItem(table, item));
};
