import { setTimeout as delay } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { findTableDefinition, type TableId, tables } from '../../shared/api/resources.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';

type Operation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const isTable = (name: string): name is TableId => Object.hasOwn(tables, name);

/** Tests name tables by their ids. */
const nameItem = ({ Put, Update, Delete, ConditionCheck }: Operation): string => {
  const { TableName = '' } = Put ?? Update ?? Delete ?? ConditionCheck ?? {};
  if (!isTable(TableName)) throw new Error(`There is no table ${TableName}`);
  const { partitionKey, sortKey } = findTableDefinition(TableName);
  const key = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return JSON.stringify([TableName, key[partitionKey], sortKey && key[sortKey]]);
};

const cancel = (met: readonly boolean[]): TransactionCanceledException =>
  new TransactionCanceledException({
    message: 'others are at work on these items',
    CancellationReasons: met.map((isMet) => ({ Code: isMet ? 'TransactionConflict' : 'None' })),
    $metadata: { httpStatusCode: 400 },
  });

/** The number of conflicts, and their items. */
export interface Meetings {
  readonly items: string[];
}

/**
 * Runs the work with slow transactions. As in DynamoDB, a transaction is cancelled if another one is writing the same item.
 * The engine alone runs them one after the other.
 */
export const withConflicts = async <T>(
  work: (meetings: Meetings) => Promise<T>,
  ms = 3,
): Promise<T> => {
  const meetings: Meetings = { items: [] };
  const taken = new Set<string>();
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        const { TransactItems = [] } = args.input as TransactWriteCommandInput;
        const names = TransactItems.map(nameItem);
        const met = names.map((name) => taken.has(name));
        meetings.items.push(...names.filter((_, at) => met[at]));
        if (met.includes(true)) {
          await delay(ms);
          throw cancel(met);
        }
        for (const name of names) taken.add(name);
        try {
          await delay(ms);
          return await next(args);
        } finally {
          for (const name of names) taken.delete(name);
        }
      },
    { step: 'initialize', name: 'conflicts' },
  );
  try {
    return await work(meetings);
  } finally {
    dynamodb.middlewareStack.remove('conflicts');
  }
};
