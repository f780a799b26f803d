import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEngine } from '../../../infra/local/engine/dynamodb-engine.ts';
import { prepareTables } from '../../../infra/local/engine/tables.ts';
import { startWatchdog } from '../../../infra/local/engine/watchdog.ts';
import { listenOnLoopback } from '../../../infra/local/loopback.ts';
import { createQueues, type Queue } from '../../../infra/local/queues.ts';
import { parsePattern } from '../../../infra/local/streams/event-pattern.ts';
import {
  type RunningEventSource,
  startEventSource,
} from '../../../infra/local/streams/event-source.ts';
import { openPositions, type Positions } from '../../../infra/local/streams/positions.ts';
import { createWriteSignal, type WriteSignal } from '../../../infra/local/streams/write-signal.ts';
import type { EventSource, StackModel, Table } from '../../../infra/local/template/model.ts';
import { queueArn, streamArn } from '../../../infra/local/template/names.ts';
import { model as plainModel, things } from './fixture/model.ts';
import { eventSource } from './fixture/stream.ts';

const closers: (() => unknown)[] = [];
const sources: RunningEventSource[] = [];
let endpoint: string;
let client: DynamoDBClient;
let tables = 0;

/** Of the running test. */
let table: Table;
let positions: Positions;
let writes: WriteSignal;
let queues: Readonly<Record<string, Queue>>;
let problems: string[];

beforeAll(async () => {
  const watchdog = startWatchdog();
  const engine = await startEngine({ watchdog, onFailure: () => undefined });
  endpoint = engine.endpoint;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  closers.push(() => client.destroy(), engine.stop, watchdog.close);
});

afterAll(async () => {
  for (const close of closers) await close();
});

beforeEach(async () => {
  tables += 1;
  table = { ...things, name: `Things${tables}`, streamViewType: 'NEW_IMAGE' };
  await prepareTables([table], { endpoint, shared: true });
  positions = openPositions(undefined);
  writes = createWriteSignal();
  problems = [];
});

afterEach(async () => {
  for (const source of sources.splice(0)) await source.close();
});

/** A model whose role may do what a mapping needs, but for the given action. */
function modelWithout(denied = ''): StackModel {
  const dynamodb = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  const allow = (actions: string[], resource: string) => ({
    effect: 'Allow' as const,
    actions: actions.filter((action) => action !== denied),
    resources: [resource],
  });
  return {
    ...plainModel,
    tables: { Things: table },
    queues: { Failures: { id: 'Failures', name: 'failures', arn: queueArn('failures') } },
    roles: {
      Role: [
        allow(
          dynamodb.map((action) => `dynamodb:${action}`),
          streamArn(table.name),
        ),
        allow(['sqs:SendMessage'], queueArn('failures')),
      ],
    },
  };
}

type Invoke = (records: readonly DynamoDBRecord[]) => unknown;

async function start(
  change: Partial<EventSource>,
  invoke: Invoke,
  { dynamodb = endpoint, model = modelWithout() } = {},
): Promise<RunningEventSource> {
  queues = createQueues(model, () => undefined);
  const running = await startEventSource(
    { ...eventSource, ...change },
    {
      model,
      dynamodb,
      positions,
      writes,
      queues,
      invoke: async (_, event) => invoke((event as { Records: DynamoDBRecord[] }).Records),
      onProblem: (_, line) => problems.push(line),
    },
  );
  sources.push(running);
  return running;
}

type Item = Record<string, AttributeValue>;

const put = async (pk: string, sk: string, more: Item = {}): Promise<void> => {
  const Item = { pk: { S: pk }, sk: { S: sk }, ...more };
  await client.send(new PutItemCommand({ TableName: table.name, Item }));
  writes.notify();
};

/** All at once, so that they are there before anything is read of them. */
const putMany = async (keys: readonly (readonly [string, string])[]): Promise<void> => {
  const requests = keys.map(([pk, sk]) => ({
    PutRequest: { Item: { pk: { S: pk }, sk: { S: sk } } },
  }));
  await client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: requests } }));
  writes.notify();
};

const keyOf = ({ dynamodb }: DynamoDBRecord): string =>
  `${dynamodb?.Keys?.['pk']?.S}${dynamodb?.Keys?.['sk']?.S}`;

/** Notes the keys of each batch that succeeds. */
function collector() {
  const batches: string[][] = [];
  return {
    batches,
    keys: () => batches.flat(),
    invoke: (records: readonly DynamoDBRecord[]): void => {
      batches.push(records.map(keyOf));
    },
  };
}

describe('an event source', () => {
  it('delivers each change as Lambda would', async () => {
    const records: DynamoDBRecord[] = [];
    await start({}, (given) => records.push(...given));

    await put('a', '1', { count: { N: '5' } });
    await client.send(
      new DeleteItemCommand({ TableName: table.name, Key: { pk: { S: 'a' }, sk: { S: '1' } } }),
    );

    await vi.waitFor(() => expect(records).toHaveLength(2));
    const Keys = { pk: { S: 'a' }, sk: { S: '1' } };
    const common = {
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: streamArn(table.name),
    };
    const details = {
      ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -1),
      Keys,
      SequenceNumber: expect.stringMatching(/^\d{21,40}$/),
      SizeBytes: expect.any(Number),
      StreamViewType: 'NEW_IMAGE',
    };
    expect(records).toEqual([
      {
        ...common,
        eventName: 'INSERT',
        dynamodb: { ...details, NewImage: { ...Keys, count: { N: '5' } } },
      },
      { ...common, eventName: 'REMOVE', dynamodb: details },
    ]);
    expect(records[0]?.eventID).not.toBe(records[1]?.eventID);
  });

  it('makes batches of what is there, none above its size', async () => {
    const { batches, invoke } = collector();
    await putMany(['1', '2', '3', '4', '5'].map((sk) => ['a', sk] as const));

    await start({ batchSize: 2 }, invoke);

    await vi.waitFor(() => expect(batches.map(({ length }) => length)).toEqual([2, 2, 1]));
  });

  it('waits for a batch to be filled, as long as its window says', async () => {
    const { batches, invoke } = collector();
    await start({ batchSize: 3, batchingWindowSeconds: 60 }, invoke);

    for (const sk of ['1', '2', '3']) await put('a', sk);

    await vi.waitFor(() => expect(batches).toEqual([['a1', 'a2', 'a3']]));
  });

  it('delivers what there is when its window ends', async () => {
    const { batches, invoke } = collector();
    await start({ batchSize: 3, batchingWindowSeconds: 0.2 }, invoke);

    for (const sk of ['1', '2']) await put('a', sk);

    await vi.waitFor(() => expect(batches).toEqual([['a1', 'a2']]));
  });

  it('leaves out what no filter lets through', async () => {
    const { batches, invoke } = collector();
    const filters = ['x', 'y'].map((prefix) =>
      parsePattern(JSON.stringify({ dynamodb: { Keys: { pk: { S: [{ prefix }] } } } })),
    );
    await start({ filters }, invoke);

    for (const pk of ['a', 'x', 'b', 'y', 'z']) await put(pk, '1');
    await put('x', 'last');

    await vi.waitFor(() => expect(batches.flat()).toEqual(['x1', 'y1', 'xlast']));
  });

  it('lets nothing overtake a record that fails', async () => {
    const { batches, invoke } = collector();
    let failures = 2;
    await putMany([
      ['a', '1'],
      ['a', '2'],
    ]);

    await start({ batchSize: 1 }, (records) => {
      if (records.map(keyOf).includes('a1') && failures-- > 0) throw new Error('failed');
      invoke(records);
    });

    await vi.waitFor(() => expect(batches.flat().sort()).toEqual(['a1', 'a2']));
    expect(batches).toEqual([['a1'], ['a2']]);
  });

  it('keeps the order of each item while lanes run side by side', async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    for (const size of ['1', '2', '3']) {
      for (const pk of ['a', 'b', 'c', 'd']) await put(pk, '1', { size: { S: size } });
    }

    await start({ batchSize: 3, parallelizationFactor: 4 }, async (records) => {
      running += 1;
      most = Math.max(most, running);
      await delay(5);
      running -= 1;
      for (const record of records) {
        seen.push(`${keyOf(record)} ${record.dynamodb?.NewImage?.['size']?.S}`);
      }
    });

    await vi.waitFor(() => expect(seen).toHaveLength(12));
    expect(most).toBeGreaterThan(1);
    for (const pk of ['a', 'b', 'c', 'd']) {
      const own = seen.filter((one) => one.startsWith(pk));
      expect(own).toEqual(['1', '2', '3'].map((size) => `${pk}1 ${size}`));
    }
  });

  it('tells its queue of what it gave up, and goes on', async () => {
    const { batches, invoke } = collector();
    const onFailure = { maxRetryAttempts: 1, onFailureQueueId: 'Failures', batchSize: 1 };
    await start(onFailure, (records) => {
      if (records.map(keyOf).includes('bad1')) throw new Error('failed');
      invoke(records);
    });

    await put('bad', '1');
    await put('good', '1');

    await vi.waitFor(() => expect(batches).toEqual([['good1']]));
    const [message, ...others] = queues['Failures']?.messages ?? [];
    expect(others).toEqual([]);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
      DDBStreamBatchInfo: { batchSize: 1, streamArn: streamArn(table.name) },
    });
    expect(problems).toEqual(['Source gave up 1 records: RetryAttemptsExhausted']);
  });
});

describe('the position in a stream', () => {
  it.each([
    ['TRIM_HORIZON', ['before1', 'after1']],
    ['LATEST', ['after1']],
  ] as const)('begins at %s', async (startingPosition, expected) => {
    const { keys, invoke } = collector();
    await put('before', '1');

    await start({ startingPosition }, invoke);
    await put('after', '1');

    await vi.waitFor(() => expect(keys()).toEqual(expected));
  });

  it.each(['TRIM_HORIZON', 'LATEST'] as const)(
    'of %s survives a restart: nothing is lost, nothing done comes again',
    async (startingPosition) => {
      const { keys, invoke } = collector();
      const first = await start({ startingPosition }, invoke);
      await put('first', '1');
      await vi.waitFor(() => expect(keys()).toEqual(['first1']));
      await first.close();
      await put('between', '1');

      await start({ startingPosition }, invoke);
      await put('second', '1');

      await vi.waitFor(() => expect(keys()).toEqual(['first1', 'between1', 'second1']));
    },
  );

  it('stays before what was under way, even where nothing was ever done', async () => {
    const attempted = Promise.withResolvers<void>();
    const { keys, invoke } = collector();
    const first = await start({ startingPosition: 'LATEST' }, () => {
      attempted.resolve();
      throw new Error('failed');
    });
    await put('a', '1');
    await attempted.promise;
    await first.close();

    await start({ startingPosition: 'LATEST' }, invoke);

    await vi.waitFor(() => expect(keys()).toEqual(['a1']));
  });
});

describe('closing', () => {
  it.each<[string, Invoke]>([
    [
      'a batch is tried again',
      () => {
        throw new Error('failed');
      },
    ],
    ['the function is at work', () => new Promise(() => undefined)],
    ['nothing happens', () => undefined],
  ])('is prompt while %s', async (_, invoke) => {
    const invoked = Promise.withResolvers<void>();
    const running = await start({}, (records) => {
      invoked.resolve();
      return invoke(records);
    });
    await put('a', '1');
    await invoked.promise;

    const before = performance.now();
    await running.close();

    expect(performance.now() - before).toBeLessThan(500);
  });
});

/** Passes everything on to the engine, and counts. */
async function countingEngine() {
  const counted = { requests: 0 };
  const server = createServer(async (request, response) => {
    counted.requests += 1;
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: await buffer(request),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  const { url, close } = await listenOnLoopback(server, 0);
  closers.unshift(close);
  return { url, counted };
}

describe('an idle event source', () => {
  it('asks the engine no more than a handful of times a second', async () => {
    const { url, counted } = await countingEngine();
    await start({}, () => undefined, { dynamodb: url });
    counted.requests = 0;

    await delay(1000);

    expect(counted.requests).toBeGreaterThan(0);
    expect(counted.requests).toBeLessThanOrEqual(6);
  });

  it('looks at once when it is told of a write', async () => {
    const { keys, invoke } = collector();
    const { wait } = writes;
    const forever = 60_000;
    writes = { ...writes, wait: (count, _, signal) => wait(count, forever, signal) };
    await start({}, invoke);
    await put('warm', '1');
    await vi.waitFor(() => expect(keys()).toEqual(['warm1']));

    await put('a', '1');

    await vi.waitFor(() => expect(keys()).toEqual(['warm1', 'a1']));
  });
});

describe('a role', () => {
  it.each([
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
    'sqs:SendMessage',
  ])('that lacks %s stops the start', async (action) => {
    const starting = start({ onFailureQueueId: 'Failures' }, () => undefined, {
      model: modelWithout(action),
    });

    await expect(starting).rejects.toThrow(
      `Source cannot drive Probe: its role Role does not allow ${action} on arn:aws:`,
    );
    await expect(starting).rejects.toMatchObject({ name: 'StartError' });
  });

  it('needs no permission on a queue that the mapping has not', async () => {
    const starting = start({}, () => undefined, { model: modelWithout('sqs:SendMessage') });

    await expect(starting).resolves.toBeDefined();
  });
});
