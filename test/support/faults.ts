import { setTimeout as delay } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { Random } from './random.ts';

/**
 * The faults of a transaction: a conflict, or throttling; an applied write without a response; a late write after the
 * caller's timeout; the caller's death before or after the write.
 */
const faults = [
  'conflict',
  'throttling',
  'lostAnswer',
  'lateWrite',
  'deathBefore',
  'deathAfter',
] as const;
type Fault = (typeof faults)[number];

/** The number of transactions with each fault, per hundred. */
export type FaultShares = Readonly<Partial<Record<Fault, number>>>;

const usualShares: FaultShares = { conflict: 15, throttling: 5, lostAnswer: 5 };

/** The faults of the next calls; undefined: none. */
let source: { readonly random: Random; readonly shares: FaultShares } | undefined;

/** Writes in progress whose caller no longer waits. */
let late: Promise<unknown>[] = [];

/** The number of injections of each fault so far. */
export const injected: Record<Fault, number> = {
  conflict: 0,
  throttling: 0,
  lostAnswer: 0,
  lateWrite: 0,
  deathBefore: 0,
  deathAfter: 0,
};

const longestLateMs = 60;

/** True if the error was injected here. */
export const isInjected = (error: unknown): boolean =>
  error instanceof Error && 'isInjected' in error;

const makeError = (name: string): Error =>
  Object.assign(new Error(`injected ${name}`), { name, isInjected: true });

/** Returns the error of a transaction that was cancelled because of one item. */
export const canceled = (code: string): Error =>
  Object.assign(
    new TransactionCanceledException({
      message: `injected ${code}`,
      CancellationReasons: [{ Code: 'None' }, { Code: code }],
      $metadata: { httpStatusCode: 400 },
    }),
    { isInjected: true },
  );

const drawFault = (): Fault | undefined => {
  if (!source) return undefined;
  let draw = source.random.below(100);
  return faults.find((fault) => {
    draw -= source?.shares[fault] ?? 0;
    return draw < 0;
  });
};

/** Applies the fault to a transaction. The store treats a `TimeoutError` as a lost connection. */
const suffer = async <T>(fault: Fault, send: () => Promise<T>, ms: number): Promise<T> => {
  switch (fault) {
    case 'conflict':
      throw canceled('TransactionConflict');
    case 'throttling':
      throw canceled('ThrottlingError');
    case 'lostAnswer':
      await send();
      throw makeError('TimeoutError');
    case 'lateWrite':
      late.push(
        delay(ms)
          .then(send, send)
          .catch(() => undefined),
      );
      throw makeError('TimeoutError');
    case 'deathBefore':
      throw makeError('Death');
    case 'deathAfter':
      await send();
      throw makeError('Death');
  }
};

dynamodb.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      const fault = commandName === 'TransactWriteItemsCommand' ? drawFault() : undefined;
      if (!fault) return next(args);
      injected[fault] += 1;
      return suffer(fault, () => next(args), source?.random.below(longestLateMs) ?? 0);
    },
  { step: 'deserialize', name: 'injectFaults' },
);

/** Runs the work with random faults in transactions, and waits for late writes at the end. */
export const withFaults = async <T>(
  random: Random,
  work: () => Promise<T>,
  shares: FaultShares = usualShares,
): Promise<T> => {
  source = { random, shares };
  try {
    return await work();
  } finally {
    source = undefined;
    await Promise.all(late);
    late = [];
  }
};
