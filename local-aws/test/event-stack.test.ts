import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LocalStack, type StackOptions, startStack } from '../src/stack/start-stack.ts';
import type { StackModel } from '../src/template/model.ts';
import { eventually } from './eventually.ts';
import { synthesiseEventFixture } from './fixture/event-app.ts';
import { isRunning } from './fixture/process.ts';

let assembly: string;
let directory: string;
let stack: LocalStack | undefined;
/** Log lines with the logical id of their source. */
let log: [source: string, line: string][];

beforeAll(() => {
  assembly = synthesiseEventFixture();
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'event-stack-'));
  log = [];
});

afterEach(async () => {
  await stack?.close();
  rmSync(directory, { recursive: true });
});

const start = async (options: Partial<StackOptions> = {}): Promise<LocalStack> => {
  stack = await startStack({
    assembly,
    port: 0,
    data: ':memory:',
    onLog: (source, line) => log.push([source, line]),
    ...options,
  });
  return stack;
};

/** Returns the logical id with this prefix. */
const findId = (parts: object, prefix: string): string =>
  Object.keys(parts).find((id) => id.startsWith(prefix)) ?? '';

type Item = Record<string, AttributeValue>;

/** Writes an item through the endpoint that functions use. */
const put = async (
  { endpoints, credentials, model, tables }: LocalStack,
  pk: string,
  more: Item = {},
): Promise<void> => {
  const { aws: endpoint } = endpoints;
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const TableName = tables[findId(model.tables, 'Things')];
  const Item = { pk: { S: pk }, sk: { S: '1' }, ...more };
  await client.send(new PutItemCommand({ TableName, Item }));
  client.destroy();
};

/** Returns the events in the worker's log. */
const events = (): unknown[] =>
  log
    .filter(([source, line]) => source.startsWith('Worker') && line.startsWith('{'))
    .map(([, line]) => JSON.parse(line));

/** Returns the partition keys of the records of each invocation. */
const invocations = (): string[][] =>
  (events() as Partial<DynamoDBStreamEvent>[]).map(({ Records = [] }) =>
    Records.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S ?? ''),
  );

/** Returns the processes of the worker, from the first one on. */
const processes = (): number[] =>
  log.flatMap(([, line]) => (line.startsWith('process ') ? [Number(line.slice(8))] : []));

const withoutRetries = (model: StackModel): StackModel => ({
  ...model,
  eventSources: Object.fromEntries(
    Object.entries(model.eventSources).map(([id, source]) => [
      id,
      { ...source, maxRetryAttempts: 0 },
    ]),
  ),
});

describe('a worker behind a stream', () => {
  it('gets each write, though it fails at first', async () => {
    const running = await start();

    await put(running, 'a', { fail: { S: 'once' } });
    await put(running, 'b', { report: { S: 'once' } });

    await eventually(() => expect(invocations().filter(([key]) => key === 'b')).toHaveLength(2));
    expect(invocations().filter((keys) => keys.includes('a'))).toHaveLength(2);
    expect(running.queues[findId(running.queues, 'Failures')]?.messages).toEqual([]);
  });

  it('ends when it is idle, and starts again for the next write', async () => {
    const running = await start({ idleMs: 1 });
    await put(running, 'a');
    await eventually(() => expect(invocations()).toEqual([['a']]));
    await eventually(() => expect(processes().some(isRunning)).toBe(false));

    await put(running, 'b');

    await eventually(() => expect(invocations()).toEqual([['a'], ['b']]));
    expect(processes()).toHaveLength(2);
  });

  it('has what it cannot do put into the queue, which the log tells', async () => {
    const running = await start();

    await put(running, 'bad', { fail: { S: 'always' } });
    await put(running, 'good');

    const queueId = findId(running.queues, 'Failures');
    await eventually(() => expect(invocations().at(-1)).toEqual(['good']));
    const [message] = running.queues[queueId]?.messages ?? [];
    const workerArn = `arn:aws:lambda:us-east-1:000000000000:function:${findId(running.model.functions, 'Worker')}`;
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { functionArn: workerArn, condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: { batchSize: 1 },
    });
    expect(log.filter(([source]) => source === queueId)).toEqual([
      [queueId, `queue ${queueId} received ${message?.body}`],
    ]);
  });

  it('goes on where it was when the data folder is used again', async () => {
    const first = await start({ data: directory });
    await put(first, 'done');
    await eventually(() => expect(invocations()).toEqual([['done']]));
    await put(first, 'failing', { fail: { S: 'always' } });
    await first.close();
    log = [];

    const second = await start({ data: directory });
    await put(second, 'new');

    await eventually(() => expect(invocations().at(-1)).toContain('new'));
    expect(invocations()[0]).toContain('failing');
    expect(invocations().flat()).not.toContain('done');
  });

  it('is not slowed down by the length of its stream', async () => {
    const running = await start({ data: directory });
    await running.close();
    const database = new DatabaseSync(join(directory, 'dynamodb.sqlite'));

    const plan = database
      .prepare(
        'EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?',
      )
      .all('Things');

    database.close();
    expect(plan).toMatchObject([{ detail: expect.stringMatching(/USING COVERING INDEX/) }]);
  });

  it('is not started where its role may not read the stream', async () => {
    const starting = start({ transform: (model) => ({ ...model, roles: {} }) });

    await expect(starting).rejects.toThrow(/its role \w+ does not allow dynamodb:DescribeStream/);
  });

  it('stops with the stack while it is at work, and nothing counts as failed for that', async () => {
    const running = await start({ transform: withoutRetries });
    await put(running, 'a', { hang: { S: 'always' } });
    await eventually(() => expect(invocations()).toEqual([['a']]));

    await running.close();

    expect(log.filter(([, line]) => /gave up|received/.test(line))).toEqual([]);
  });
});

describe('a schedule', () => {
  it('invokes the worker when a test says so', async () => {
    const running = await start();

    await running.runSchedule(findId(running.model.schedules, 'Hourly'));
    await running.runSchedule(findId(running.model.schedules, 'Daily'));

    expect(events()).toMatchObject([{ 'detail-type': 'Scheduled Event' }, { task: 'daily' }]);
  });
});
