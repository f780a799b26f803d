import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTarget } from '../../../shared/storage/catalogue/target.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterEach(() => dynamodb.middlewareStack.remove('outcomes'));
afterAll(() => engine.close());

/** What becomes of an attempt: others are at work on a counter, or on something else, or nothing is heard of it. */
type Outcome = 'counter' | 'other item' | 'silence';

/** One attempt: under which token, and which shards of counters it changes. */
interface Attempt {
  readonly token: string | undefined;
  readonly shards: readonly string[];
}

/** Lets the next transactions end like this, and those after them go through; resolves to all of them. */
const attemptsWith = (...outcomes: Outcome[]): Attempt[] => {
  const attempts: Attempt[] = [];
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        const { TransactItems = [], ClientRequestToken } = args.input as TransactWriteCommandInput;
        const counted = TransactItems.map(({ Update }) =>
          Update?.TableName === 'catalogue'
            ? JSON.stringify(Update.Key?.['o']).match(/\d"/)?.[0]
            : '',
        );
        attempts.push({
          token: ClientRequestToken,
          shards: counted.flatMap((shard) => (shard ? [shard.slice(0, 1)] : [])),
        });
        const outcome = outcomes.shift();
        if (outcome === undefined) return next(args);
        if (outcome === 'silence') {
          throw Object.assign(new Error('nothing was heard'), { name: 'TimeoutError' });
        }
        const isMet = (shard: string | undefined) => Boolean(shard) === (outcome === 'counter');
        throw new TransactionCanceledException({
          message: outcome,
          CancellationReasons: counted.map((shard) => ({
            Code: isMet(shard) ? 'TransactionConflict' : 'None',
          })),
          $metadata: { httpStatusCode: 400 },
        });
      },
    { step: 'initialize', name: 'outcomes' },
  );
  return attempts;
};

/** Draws shard 0 first, and then the other one. */
const submit = (name: string) => {
  const catalogue = createTarget(2, () => 0);
  return submitPackage(
    { ecosystem: 'npm', name, version: '1.0.0' },
    { ...writeContext(), catalogue },
  );
};

it('counts in another shard where others are at work, under another token', async () => {
  const attempts = attemptsWith('counter');

  await submit('left-pad');

  expect(attempts.map(({ shards }) => shards)).toEqual([
    ['0', '0'],
    ['1', '1'],
  ]);
  expect(attempts[0]?.token).not.toBe(attempts[1]?.token);
});

it('stays in its shard, and with its token, where others are at work elsewhere', async () => {
  const attempts = attemptsWith('other item');

  await submit('right-pad');

  expect(attempts).toHaveLength(2);
  expect(attempts[1]).toEqual(attempts[0]);
});

it('sends what may be there already again as it was, whatever it meets after that', async () => {
  const attempts = attemptsWith('silence', 'counter');

  await submit('top-pad');

  expect(attempts).toHaveLength(3);
  expect(attempts[2]).toEqual(attempts[0]);
});

it('stays where there is but one shard', async () => {
  const attempts = attemptsWith('counter');
  const catalogue = createTarget(1);

  await submitPackage(
    { ecosystem: 'npm', name: 'low-pad', version: '1.0.0' },
    { ...writeContext(), catalogue },
  );

  expect(attempts.map(({ shards }) => shards)).toEqual([
    ['0', '0'],
    ['0', '0'],
  ]);
});
