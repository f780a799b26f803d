/** Bugs that the rig plants between the SDK and the engine, to show that it finds each of them. None is in the product. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { tables } from '../../../shared/api/resources.ts';
import { sequenceNumberName } from '../../../shared/storage/packages/submission-counter.ts';
import type { Plant } from '../options.ts';
import type { Disturbances, EngineAnswer } from './engine-proxy.ts';

type Tamper = NonNullable<Disturbances['tamper']>;

/** Returns a function that is true for every nth call. */
const everyNth = (count: number): (() => boolean) => {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
};

const readTableName = (id: keyof typeof tables): string => process.env[tables[id].env] ?? id;

const Operation = z.looseObject({ TableName: z.string() });
const Transaction = z.looseObject({
  TransactItems: z.array(
    z.looseObject({ Put: Operation.optional(), Update: Operation.optional() }),
  ),
});
type Item = z.infer<typeof Transaction>['TransactItems'][number];

/** The transaction with other items. */
const changeItems = (body: Buffer, change: (items: Item[]) => Item[]): Buffer => {
  const transaction = Transaction.parse(JSON.parse(body.toString()));
  const TransactItems = change(transaction.TransactItems);
  return Buffer.from(JSON.stringify({ ...transaction, TransactItems }));
};

/** Drops the counters of every third transaction: only counters of the catalogue have updates. */
const loseCounters = (): Tamper => {
  const isDue = everyNth(3);
  const isCounter = ({ Update }: Item): boolean => Update?.TableName === readTableName('catalogue');
  return ({ operation, body }, forward) =>
    operation === 'TransactWriteItems' && isDue()
      ? forward(changeItems(body, (items) => items.filter((item) => !isCounter(item))))
      : forward();
};

const dropCondition = ({
  ConditionExpression: _,
  ExpressionAttributeNames: __,
  ExpressionAttributeValues: ___,
  ...put
}: z.infer<typeof Operation>) => put;

/** Gives every submission the same sequence number, and drops the condition that guards it. */
const duplicateSequenceNumbers = (): Tamper => {
  const isRow = ({ Put }: Item): boolean => Put?.TableName === readTableName('catalogue');
  const unguard = (item: Item): Item =>
    isRow(item) && item.Put ? { ...item, Put: dropCondition(item.Put) } : item;
  let first: Promise<EngineAnswer> | undefined;
  return ({ operation, body }, forward) => {
    if (operation === 'TransactWriteItems') {
      return forward(changeItems(body, (items) => items.map(unguard)));
    }
    if (operation !== 'UpdateItem' || !body.includes(sequenceNumberName)) return forward();
    first ??= forward();
    return first;
  };
};

const done: EngineAnswer = { status: 200, body: Buffer.from('{}') };

/** Acknowledges every second transaction before the engine applies it. */
const acknowledgeEarly = (): Tamper => {
  const isDue = everyNth(2);
  return async ({ operation }, forward) => {
    if (operation !== 'TransactWriteItems' || !isDue()) return forward();
    void delay(60).then(() => forward().catch(() => undefined));
    return done;
  };
};

/** Answers every second read with the first answer. */
const readStale = (): Tamper => {
  const isDue = everyNth(2);
  const answers = new Map<string, EngineAnswer>();
  return async ({ operation, body }, forward) => {
    if (operation !== 'GetItem' && operation !== 'Query') return forward();
    const key = body.toString();
    const first = answers.get(key);
    if (first && isDue()) return first;
    const answer = await forward();
    if (!first) answers.set(key, answer);
    return answer;
  };
};

export const plants: Readonly<Record<Plant, () => Tamper>> = {
  'lost-counter': loseCounters,
  'duplicate-sequence-number': duplicateSequenceNumbers,
  'early-acknowledgement': acknowledgeEarly,
  'stale-read': readStale,
};
