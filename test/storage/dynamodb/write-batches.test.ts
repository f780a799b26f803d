import { type BatchWriteCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { defineTable } from '../../../shared/storage/dynamodb/table.ts';
import { deleteItem, ifUnchanged, putItem } from '../../../shared/storage/dynamodb/write.ts';
import { writeBatches } from '../../../shared/storage/dynamodb/write-batches.ts';
import { createDeadline } from '../../../shared/util/deadline.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const table = defineTable<{ readonly p: string; readonly k: string }>('projects');
const keys = Array.from({ length: 60 }, (_, at) => ({ p: `p${at}`, k: 'k' }));
const listPuts = () => keys.map((key) => putItem(table, key));

/** Returns the largest number of batches that run at once from now on. */
const watchParallel = (): (() => number) => {
  let [running, most] = [0, 0];
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      running += 1;
      most = Math.max(most, running);
      try {
        return await next(args);
      } finally {
        running -= 1;
      }
    },
    { step: 'initialize', name: 'parallel' },
  );
  return () => most;
};

/** Answers some calls with a part of their items undone, and leaves this part out. */
const leaveUndone = (share: (call: number) => number): void => {
  let calls = 0;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'BatchWriteItemCommand') return next(args);
        const { RequestItems = {} } = args.input as BatchWriteCommandInput;
        const requests = RequestItems['projects'] ?? [];
        const done = requests.slice(Math.ceil(requests.length * share(calls++)));
        const undone = requests.slice(0, requests.length - done.length);
        const input = { ...args.input, RequestItems: { projects: done } };
        const UnprocessedItems = undone.length > 0 ? { projects: undone } : {};
        // DynamoDB accepts no batch without an item.
        if (done.length === 0) return { output: { UnprocessedItems, $metadata: {} }, response: {} };
        const answer = await next({ ...args, input });
        return { ...answer, output: { ...answer.output, UnprocessedItems } };
      },
    { step: 'initialize', name: 'undone', priority: 'low' },
  );
};

const countItems = async () =>
  (await dynamodb.send(new ScanCommand({ TableName: 'projects' }))).Count;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  dynamodb.middlewareStack.remove('undone');
  dynamodb.middlewareStack.remove('parallel');
  await engine.close();
});

describe('a batch of writes', () => {
  it('puts and deletes any number of items', async () => {
    await writeBatches(listPuts(), createDeadline(10_000));
    const before = await countItems();
    await writeBatches(
      keys.slice(10).map((key) => deleteItem(table, key)),
      createDeadline(10_000),
    );

    expect([before, await countItems()]).toEqual([60, 10]);
  });

  it('is one of ten at once, so that many items take few round trips', async () => {
    const readMost = watchParallel();
    const many = Array.from({ length: 500 }, (_, at) => putItem(table, { p: `p${at}`, k: 'k' }));

    await writeBatches(many, createDeadline(10_000));

    expect(readMost()).toBe(10);
  });

  it('is sent again as far as it was left undone', async () => {
    leaveUndone((call) => (call < 9 ? 0.5 : 0));

    await writeBatches(listPuts(), createDeadline(10_000));

    expect(await countItems()).toBe(60);
  });

  it('fails at the deadline if a part is never done', async () => {
    leaveUndone(() => 1);

    const writing = writeBatches(listPuts(), createDeadline(300));

    await expect(writing).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await countItems()).toBe(0);
  });

  it('takes no condition', async () => {
    const guarded = putItem(table, { p: 'p', k: 'k' }, ifUnchanged(undefined, ['k']));

    await expect(writeBatches([guarded], createDeadline(1000))).rejects.toThrow(TypeError);
  });
});
