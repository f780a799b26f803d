import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import { type ItemKey, type StoredItem, type Table, typeItem } from './table.ts';

/** One write of a transaction, as DynamoDB takes it. */
type Operation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction, and the error to end with when its condition fails; told what is stored, if that was asked for. */
export interface Write {
  readonly operation: Operation;
  readonly refuse?: ((stored: StoredItem | undefined) => Error) | undefined;
  /** Told that others were at work on the item, where the write could as well go to another one. */
  readonly onConflict?: () => void;
}

/** What must hold of the stored item for a write to be made. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

/** A condition, and the error when it does not hold. `explain` is told the stored item, which costs a read permission. */
export interface Guard<Item extends object> extends Condition {
  readonly refuse?: () => Error;
  readonly explain?: (stored: Item | undefined) => Error;
}

/**
 * Holds while these attributes of an item are as they were seen; those that were not seen, while they are not there.
 * With an attribute of the key among them, an item that was not there must not have come.
 */
export const ifUnchanged = (seen: object | undefined, fields: readonly string[]): Condition => {
  const values = new Map(Object.entries(seen ?? {}));
  const known = fields.flatMap((field, at) =>
    values.has(field) ? [[`:s${at}`, values.get(field)]] : [],
  );
  return {
    ConditionExpression: fields
      .map((field, at) =>
        values.has(field) ? `#s${at} = :s${at}` : `attribute_not_exists(#s${at})`,
      )
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(fields.map((field, at) => [`#s${at}`, field])),
    ...(known.length > 0 && { ExpressionAttributeValues: Object.fromEntries(known) }),
  };
};

/** The changes of an update: an expression with its values. */
export interface Change {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
}

const toCondition = <Item extends object>(guard: Guard<Item> | undefined) => {
  if (!guard) return {};
  const { refuse: _, explain, ...condition } = guard;
  return {
    ...condition,
    ...(explain && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
};

const toRefusal = <Item extends object>(
  table: Table<Item>,
  guard: Guard<Item> | undefined,
): Pick<Write, 'refuse'> => {
  const { refuse, explain } = guard ?? {};
  if (explain) return { refuse: (stored) => explain(stored && typeItem(table, stored)) };
  return refuse ? { refuse } : {};
};

/** Puts an item in place of whatever has its key. */
export const putItem = <Item extends object>(
  table: Table<Item>,
  item: Item,
  guard?: Guard<Item>,
): Write => ({
  operation: {
    Put: { TableName: readTableName(table.id), Item: item as StoredItem, ...toCondition(guard) },
  },
  ...toRefusal(table, guard),
});

/** Changes attributes of an item, which is made if there is none. */
export const updateItem = <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  { change, guard }: { readonly change: Change; readonly guard?: Guard<Item> },
): Write => {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = guard ?? {};
  return {
    operation: {
      Update: {
        TableName: readTableName(table.id),
        Key: key,
        ...toCondition(guard),
        UpdateExpression: change.UpdateExpression,
        ...((names || change.ExpressionAttributeNames) && {
          ExpressionAttributeNames: { ...names, ...change.ExpressionAttributeNames },
        }),
        ExpressionAttributeValues: { ...values, ...change.ExpressionAttributeValues },
      },
    },
    ...toRefusal(table, guard),
  };
};

/** Names for the attributes and their values, as expressions refer to them. */
const makeAliases = (fields: Readonly<Record<string, unknown>>, prefix: string) => {
  const names = Object.keys(fields);
  const alias = (at: number): string => `${prefix}${at}`;
  return {
    pairs: names.map((_, at) => [`#${alias(at)}`, `:${alias(at)}`] as const),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#${alias(at)}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      names.map((name, at) => [`:${alias(at)}`, fields[name]]),
    ),
  };
};

/** Sets attributes of an item to values. */
export const setFields = (fields: Readonly<Record<string, unknown>>): Change => {
  const { pairs, ...aliases } = makeAliases(fields, 'f');
  const settings = pairs.map(([name, value]) => `${name} = ${value}`);
  return { UpdateExpression: `SET ${settings.join(', ')}`, ...aliases };
};

/** Adds numbers to attributes of an item; what is not there counts as 0. */
export const addToFields = (amounts: Readonly<Record<string, number>>): Change => {
  const { pairs, ...aliases } = makeAliases(amounts, 'a');
  const additions = pairs.map(([name, value]) => `${name} ${value}`);
  return { UpdateExpression: `ADD ${additions.join(', ')}`, ...aliases };
};

export const deleteItem = <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  guard?: Guard<Item>,
): Write => ({
  operation: {
    Delete: { TableName: readTableName(table.id), Key: key, ...toCondition(guard) },
  },
  ...toRefusal(table, guard),
});

/** Writes nothing, but ends the transaction where the guard does not hold. */
export const checkItem = <Item extends object>(
  table: Table<Item>,
  key: ItemKey,
  guard: Guard<Item>,
): Write => ({
  operation: {
    ConditionCheck: {
      TableName: readTableName(table.id),
      Key: key,
      ...(toCondition(guard) as Condition),
    },
  },
  ...toRefusal(table, guard),
});
