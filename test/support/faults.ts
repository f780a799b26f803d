import { setTimeout as delay } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { Random } from './random.ts';

/**
 * What can happen to a transaction: others come between, or too many; it is applied, and nobody hears of it; it is
 * applied later, when it was given up; whoever makes it dies before or after.
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

/** Of a hundred transactions, how many meet with each fault. */
export type FaultShares = Readonly<Partial<Record<Fault, number>>>;

const usualShares: FaultShares = { conflict: 15, throttling: 5, lostAnswer: 5 };

/** Which of the next calls go wrong; undefined: none. */
let source: { readonly random: Random; readonly shares: FaultShares } | undefined;

/** Writes that are still under way though nobody waits for them. */
let late: Promise<unknown>[] = [];

/** How often each fault was injected so far. */
export const injected: Record<Fault, number> = {
  conflict: 0,
  throttling: 0,
  lostAnswer: 0,
  lateWrite: 0,
  deathBefore: 0,
  deathAfter: 0,
};

const longestLateMs = 60;

/** Whether an error is none of the registry's, but was injected here. */
export const isInjected = (error: unknown): boolean =>
  error instanceof Error && 'isInjected' in error;

const makeError = (name: string): Error =>
  Object.assign(new Error(`injected ${name}`), { name, isInjected: true });

/** Makes the error of a transaction that was canceled for one of its items. */
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

/** Lets a transaction meet with its fault; whoever made it takes a `TimeoutError` for a broken connection. */
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

/** Does the work while transactions go wrong at random; what comes late has come when it ends. */
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
