import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import { type ItemKey, type StoredItem, type Table, typeItem } from './table.ts';

/** One write of a transaction, in DynamoDB's format. */
type Operation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * One write of a transaction, and the error to throw if its condition fails.
 * `refuse` receives the stored item if the write requests it.
 */
export interface Write {
  readonly operation: Operation;
  readonly refuse?: ((stored: StoredItem | undefined) => Error) | undefined;
  /** Called after a transaction conflict on the item, if another item can take the write. */
  readonly onConflict?: () => void;
}

/** Condition of a write on the stored item. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

/** Condition, and the error if it fails. `explain` receives the stored item, which requires a read permission. */
export interface Guard<Item extends object> extends Condition {
  readonly refuse?: () => Error;
  readonly explain?: (stored: Item | undefined) => Error;
}

/**
 * Returns the condition that these attributes of an item still have the values that were read.
 * Attributes that were absent must still be absent. If a key attribute was absent, the item must still not exist.
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

/** Changes of an update: an expression and its values. */
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

/** Returns a write that puts an item, and replaces any item with the same key. */
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

/** Returns a write that updates attributes of an item, and creates the item if there is none. */
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

/** Returns aliases of attribute names and values for expressions. */
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

/** Returns the change that sets attributes of an item. An attribute whose value is undefined is removed. */
export const setFields = (fields: Readonly<Record<string, unknown>>): Change => {
  const entries = Object.entries(fields);
  const { pairs, ...set } = makeAliases(
    Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    'f',
  );
  const unset = makeAliases(
    Object.fromEntries(entries.filter(([, value]) => value === undefined)),
    'r',
  );
  const settings = pairs.map(([name, value]) => `${name} = ${value}`).join(', ');
  const removals = unset.pairs.map(([name]) => name).join(', ');
  return {
    UpdateExpression: [settings && `SET ${settings}`, removals && `REMOVE ${removals}`]
      .filter((clause) => clause !== '')
      .join(' '),
    ...set,
    ExpressionAttributeNames: {
      ...set.ExpressionAttributeNames,
      ...unset.ExpressionAttributeNames,
    },
  };
};

/** Returns the change that adds numbers to attributes of an item. An absent attribute counts as 0. */
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

/** Returns a condition check: it writes nothing, and cancels the transaction if the guard fails. */
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
