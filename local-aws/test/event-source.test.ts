import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { parsePattern } from '../src/template/event-pattern.ts';
import { streamArn } from '../src/template/names.ts';
import { eventually } from './eventually.ts';
import { createCollector, useEventSources, writeKey } from './fixture/event-sources.ts';

const sources = useEventSources();
const { start, put, putMany } = sources;

describe('an event source', () => {
  it('delivers each change as Lambda would', async () => {
    const records: DynamoDBRecord[] = [];
    const beganAt = Math.floor(Date.now() / 1000);
    await start({}, (given) => records.push(...given));

    await put('a', '1', { count: { N: '5' } });
    await sources.client.send(
      new DeleteItemCommand({
        TableName: sources.table.name,
        Key: { pk: { S: 'a' }, sk: { S: '1' } },
      }),
    );

    await eventually(() => expect(records).toHaveLength(2));
    const Keys = { pk: { S: 'a' }, sk: { S: '1' } };
    const common = {
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: streamArn(sources.table.name),
    };
    const details = {
      ApproximateCreationDateTime: expect.any(Number),
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
    const writtenAt = records[0]?.dynamodb?.ApproximateCreationDateTime;
    expect(writtenAt).toBeGreaterThanOrEqual(beganAt);
    expect(writtenAt).toBeLessThanOrEqual(Date.now() / 1000);
    expect(records[0]?.eventID).not.toBe(records[1]?.eventID);
  });

  it('makes batches of what is there, none above its size', async () => {
    const { batches, invoke } = createCollector();
    await putMany(['1', '2', '3', '4', '5'].map((sk) => ['a', sk] as const));

    await start({ batchSize: 2 }, invoke);

    await eventually(() => expect(batches.map(({ length }) => length)).toEqual([2, 2, 1]));
  });

  it('waits for a batch to be filled, as long as its window says', async () => {
    const { batches, invoke } = createCollector();
    await start({ batchSize: 3, batchingWindowSeconds: 3600 }, invoke);

    for (const sk of ['1', '2', '3']) await put('a', sk);

    await eventually(() => expect(batches).toEqual([['a1', 'a2', 'a3']]));
  });

  it('delivers what there is when its window ends', async () => {
    const { batches, invoke } = createCollector();
    await putMany(['1', '2'].map((sk) => ['a', sk] as const));

    await start({ batchSize: 3, batchingWindowSeconds: 0.2 }, invoke);

    await eventually(() => expect(batches).toEqual([['a1', 'a2']]));
  });

  it('leaves out what no filter lets through', async () => {
    const { batches, invoke } = createCollector();
    const filters = ['x', 'y'].map((prefix) =>
      parsePattern(JSON.stringify({ dynamodb: { Keys: { pk: { S: [{ prefix }] } } } })),
    );
    await start({ filters }, invoke);

    for (const pk of ['a', 'x', 'b', 'y', 'z']) await put(pk, '1');
    await put('x', 'last');

    await eventually(() => expect(batches.flat()).toEqual(['x1', 'y1', 'xlast']));
  });

  it('lets nothing overtake a record that fails', async () => {
    const { batches, invoke } = createCollector();
    let failures = 2;
    await putMany([
      ['a', '1'],
      ['a', '2'],
    ]);

    await start({ batchSize: 1 }, (records) => {
      if (records.map(writeKey).includes('a1') && failures-- > 0) throw new Error('failed');
      invoke(records);
    });

    await eventually(() => expect(batches.flat().sort()).toEqual(['a1', 'a2']));
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
      await nextTurn();
      running -= 1;
      for (const record of records) {
        seen.push(`${writeKey(record)} ${record.dynamodb?.NewImage?.['size']?.S}`);
      }
    });

    await eventually(() => expect(seen).toHaveLength(12));
    expect(most).toBeGreaterThan(1);
    for (const pk of ['a', 'b', 'c', 'd']) {
      const own = seen.filter((one) => one.startsWith(pk));
      expect(own).toEqual(['1', '2', '3'].map((size) => `${pk}1 ${size}`));
    }
  });

  it('tells its queue of what it gave up, and goes on', async () => {
    const { batches, invoke } = createCollector();
    const onFailure = { maxRetryAttempts: 1, onFailureQueueId: 'Failures', batchSize: 1 };
    await start(onFailure, (records) => {
      if (records.map(writeKey).includes('bad1')) throw new Error('failed');
      invoke(records);
    });

    await put('bad', '1');
    await put('good', '1');

    await eventually(() => expect(batches).toEqual([['good1']]));
    const [message, ...others] = sources.queues['Failures']?.messages ?? [];
    expect(others).toEqual([]);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
      DDBStreamBatchInfo: { batchSize: 1, streamArn: streamArn(sources.table.name) },
    });
    expect(sources.problems).toEqual(['Source gave up 1 records: RetryAttemptsExhausted']);
  });
});
