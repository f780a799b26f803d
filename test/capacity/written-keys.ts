/** The write units that operations need at each partition key, from the writes that they send. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { findTableDefinition, type TableId, tables } from '../../shared/api/resources.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';

/** A write in DynamoDB's format; tables have their ids as names. */
interface SentWrite {
  readonly TableName: TableId;
  readonly Key?: StoredItem;
  readonly Item?: StoredItem;
}

const unitBytes = 1024;

/** The size of an item as DynamoDB counts it, within a few bytes: names and values. */
const countBytes = (item: StoredItem): number =>
  Object.entries(marshall(item, { removeUndefinedValues: true })).reduce(
    (bytes, [name, value]) => bytes + name.length + JSON.stringify(Object.values(value)[0]).length,
    0,
  );

const toKey = ({ TableName, Key, Item = {} }: SentWrite): string =>
  `${TableName} ${(Key ?? Item)[findTableDefinition(TableName).partitionKey]}`;

/** A write to a table counts once more in each local index, and in a transaction twice. An updated item has one unit here. */
const countUnits = ({ TableName, Item }: SentWrite, isInTransaction: boolean): number => {
  const { indexes = {} } = findTableDefinition(TableName);
  const indexed = Object.values(indexes).filter((name) => Item?.[name] !== undefined).length;
  const size = Math.ceil(Math.max(1, countBytes(Item ?? {})) / unitBytes);
  return size * (1 + indexed) * (isInTransaction ? 2 : 1);
};

/** Returns the writes of a command, if it is one. */
const listWrites = (input: object): readonly SentWrite[] => {
  const { TransactItems } = input as {
    readonly TransactItems?: readonly Readonly<Record<string, SentWrite>>[];
  };
  if (TransactItems) return TransactItems.flatMap((item) => Object.values(item));
  const write = input as SentWrite;
  return 'UpdateExpression' in input || write.Item ? [write] : [];
};

/** Runs the work, and returns the write units at each table and partition key, the most written key first. */
export const measureKeys = async (
  work: () => Promise<unknown>,
): Promise<readonly (readonly [key: string, units: number])[]> => {
  const units = new Map<string, number>();
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      for (const write of listWrites(args.input)) {
        if (!(write.TableName in tables)) continue;
        const more = countUnits(write, 'TransactItems' in args.input);
        units.set(toKey(write), (units.get(toKey(write)) ?? 0) + more);
      }
      return next(args);
    },
    { step: 'initialize', name: 'measureKeys' },
  );
  try {
    await work();
  } finally {
    dynamodb.middlewareStack.remove('measureKeys');
  }
  return [...units].toSorted(([, one], [, other]) => other - one);
};
