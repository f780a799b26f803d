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
import { hasReadUnits, isReadMetered, readMetered } from './read-budget.ts';
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

/** What a batch of keys reads. */
export interface BatchOptions extends ReadOptions {
  /** How many units one of the items may take; those of heads, if not given. */
  readonly unitsAnItem?: number;
  /** The same, as far as earlier batches of the request showed it. */
  readonly estimate?: ReadEstimate;
  /** How many keys go into one call. */
  readonly keysACall?: number;
}

/** What one call of a query or scan read, and the key to go on from; undefined at the end. */
export interface ItemPage<Item> {
  readonly items: Item[];
  readonly next: ItemKey | undefined;
}

/** DynamoDB's own limit of keys in one call. */
const maxKeys = 100;
/** DynamoDB's limits of one item, and of what one call of a query reads, in units of 4 KB. */
const largestItem = 100;
const largestPage = 256;
/** What the largest heads take: ten tools in each of eleven sources, with labels and reasons. */
const largestHead = 20;
/** The longest delay before unprocessed keys are read again. */
const unprocessedDelayMs = 50;
const parallelCalls = 10;

const toPage = <Item extends object>(
  table: Table<Item>,
  answer: { Items?: StoredItem[] | undefined; LastEvaluatedKey?: StoredItem | undefined },
): ItemPage<Item> => ({
  items: (answer.Items ?? []).map((item) => typeItem(table, item)),
  next: answer.LastEvaluatedKey as ItemKey | undefined,
});

/** Eventually consistent reads take half. */
const halve = (units: number, eventual: boolean): number => (eventual ? units / 2 : units);

/** Reads one item by its key; undefined if there is none. */
export const getItem = async <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  { eventual = false }: ReadOptions = {},
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

/** Reads what one call of a query finds, after the item of key `start` where one is given; at most `limit` items if given. */
export const queryPage = async <Item extends object>(
  table: Table<Item>,
  range: Range,
  { start, limit }: { readonly start?: ItemKey | undefined; readonly limit?: number } = {},
): Promise<ItemPage<Item>> => {
  const input = {
    TableName: readTableName(table.id),
    ConsistentRead: true,
    ...range,
    ...(limit !== undefined && { Limit: limit }),
    ...(start && { ExclusiveStartKey: start }),
  };
  const { answer } = await readMetered(
    () => findLargestPage(range, limit),
    (metered) => {
      const command = new QueryCommand({ ...input, ...metered });
      return retryRead((options) => dynamodb.send(command, options));
    },
  );
  return toPage(table, answer);
};

/** How many units one call of a query takes at most. */
const findLargestPage = ({ ConsistentRead = true }: Range, limit = largestPage): number =>
  halve(Math.min(largestPage, limit * largestItem), !ConsistentRead);

/** Whether a query may make another call within the budget of the request, and leave as much for others. */
const mayReadOn = (range: Range): boolean => hasReadUnits(2 * findLargestPage(range));

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
    endsEarly = false,
  }: {
    readonly limit?: number | undefined;
    readonly count?: number | undefined;
    /** Whether it ends where the request may read no more, in place of refusing it. */
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

/** Reads what a query finds: all of it, or the first `count`, in as many calls as that takes. */
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
  return toPage(table, await retryRead((options) => dynamodb.send(command, options)));
};

/** How many units some keys may take. */
export interface ReadEstimate {
  readonly of: (keys: number) => number;
  /** Notes how many units some keys took; undefined where nobody counted. */
  readonly learn: (keys: number, used: number | undefined) => void;
}

/** What the next key takes: as much as any may, until some were read; then twice what those took. */
export const createEstimate = (most: number): ReadEstimate => {
  let units = most;
  return {
    of: (keys: number): number => keys * units,
    learn: (keys: number, used: number | undefined): void => {
      if (used !== undefined) units = Math.min(most, Math.max(1, (2 * used) / keys));
    },
  };
};

/** Reads items of one call's keys. */
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
    // What is left over was throttled, or more than one answer holds.
    if (wanted.length > 0) await delay(Math.random() * unprocessedDelayMs);
  }
  return found;
};

/** A call of fewer keys fits into a budget, however large its items are. */
const chooseKeysACall = (): number => (isReadMetered() ? maxKeys / 2 : maxKeys);

/** Reads items by their keys, in no particular order; keys without an item are left out. */
export const batchGet = async <Item extends object>(
  table: Table<Item>,
  keys: readonly ItemKey[],
  options: BatchOptions = {},
): Promise<Item[]> => {
  const { eventual = false, unitsAnItem = largestHead, keysACall = chooseKeysACall() } = options;
  const { estimate = createEstimate(halve(unitsAnItem, eventual)) } = options;
  const name = readTableName(table.id);
  // DynamoDB refuses a key that comes twice.
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  const found = await runInParallel(splitInto(keysACall, distinct), parallelCalls, (batch) =>
    getBatch(name, batch, { eventual, estimate }),
  );
  return found.flat().map((item) => typeItem(table, item));
};
