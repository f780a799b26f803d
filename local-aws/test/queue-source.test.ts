import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkQueueGrants } from '../src/iam/required-grants.ts';
import { createQueues, type Queue } from '../src/sqs/message-queues.ts';
import { startQueueSource } from '../src/sqs/queue-source.ts';
import type { QueueSource, StackModel } from '../src/template/model.ts';
import { queueArn } from '../src/template/names.ts';
import { model as plainModel, probe } from './fixture/model.ts';
import { makeQueue } from './fixture/queue.ts';

const source: QueueSource = {
  id: 'Source',
  queueId: 'Jobs',
  functionId: probe.id,
  batchSize: 10,
  maxConcurrency: 5,
  reportsItemFailures: true,
};

/** Returns a model in which each message is received at most three times. */
const makeModel = (): StackModel => ({
  ...plainModel,
  queues: {
    Jobs: makeQueue('Jobs', {
      visibilityTimeoutSeconds: hiddenSeconds,
      redrive: { queueId: 'Dead', queueArn: queueArn('Dead'), maxReceiveCount: 3 },
    }),
    Dead: makeQueue('Dead'),
  },
  queueSources: { Source: source },
});

const hiddenSeconds = 30;
const closers: (() => unknown)[] = [];

// With a fake clock, a test controls how long a message is hidden, even on a busy machine.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  vi.useRealTimers();
});

/** Resolves when the source has finished all work that needs no time to pass. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Advances the clock until hidden messages are visible. */
const waitUntilVisible = (): Promise<unknown> => vi.advanceTimersByTimeAsync(hiddenSeconds * 1000);

type Answer = (bodies: readonly string[], event: SQSEvent) => unknown;

const start = (answer: Answer, { sent = [] as string[], change = {} } = {}) => {
  const queues = createQueues(makeModel(), { onMessage: () => undefined });
  const { Jobs: queue, Dead: dead } = queues.byId;
  if (!queue || !dead) throw new Error('no queues');
  for (const body of sent) queue.send(body);
  const batches: string[][] = [];
  const invoke = async (_: string, event: unknown): Promise<unknown> => {
    const given = event as SQSEvent;
    const bodies = given.Records.map(({ body }) => body);
    batches.push(bodies);
    return answer(bodies, given);
  };
  const running = startQueueSource({ ...source, ...change }, { queue, invoke });
  closers.push(queues.close, running.close);
  closers.reverse();
  return { queue, dead, batches, close: running.close };
};

const failures = (event: SQSEvent, isFailed: (body: string) => boolean) => ({
  batchItemFailures: event.Records.filter(({ body }) => isFailed(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

const isEmpty = ({ messages }: Queue): void => expect(messages).toEqual([]);

describe('a queue that drives a function', () => {
  it('gives it batches of what is there, none above its size, as Lambda would', async () => {
    let first: SQSEvent | undefined;
    const { queue, batches } = start(
      (_, event) => {
        first ??= event;
      },
      { sent: numbers(12) },
    );

    await settle();

    isEmpty(queue);
    expect(batches).toEqual([numbers(10), ['10', '11']]);
    expect(first?.Records[0]).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: '0',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {},
      md5OfBody: 'cfcd208495d565ef66e7dff9f98764da',
      eventSource: 'aws:sqs',
      eventSourceARN: queueArn('Jobs'),
      awsRegion: 'us-east-1',
    });
  });

  it('gives it what comes later', async () => {
    const { queue, batches } = start(() => undefined);
    await settle();

    queue.send('late');
    await settle();

    expect(batches).toEqual([['late']]);
  });

  it('tries again what failed and no more, and then gives it up', async () => {
    const { queue, dead, batches } = start(
      (_, event) => failures(event, (body) => body === 'bad'),
      { sent: ['good', 'bad', 'fine'] },
    );

    const seen: number[] = [];
    for (let wait = 0; wait < 3; wait += 1) {
      await settle();
      seen.push(batches.length);
      await waitUntilVisible();
    }

    expect(dead.messages).toMatchObject([{ body: 'bad' }]);
    expect(batches).toEqual([['good', 'bad', 'fine'], ['bad'], ['bad']]);
    // The message is received each time that it becomes visible.
    expect(seen).toEqual([1, 2, 3]);
    isEmpty(queue);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('failed');
      },
    ],
    ['names a message of another batch', () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['names a message without an id', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['answers something else', () => 'done'],
  ])('has the whole batch come again when it %s', async (_, answer) => {
    const { dead, batches } = start(answer, { sent: ['a', 'b'] });

    for (let wait = 0; wait < 3; wait += 1) await waitUntilVisible();

    expect(dead.messages).toHaveLength(2);
    expect(batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('reads no answer of a function that does not report failures', async () => {
    const change = { reportsItemFailures: false };
    const { queue, dead } = start((_, event) => failures(event, () => true), {
      sent: ['a'],
      change,
    });

    await settle();

    isEmpty(queue);
    isEmpty(dead);
  });

  it('has no more batches under way than its maximum', async () => {
    let running = 0;
    let most = 0;
    const change = { batchSize: 1, maxConcurrency: 2 };
    const { queue, batches } = start(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
      },
      { sent: numbers(8), change },
    );

    await settle();

    isEmpty(queue);
    expect([batches.length, most]).toEqual([8, 2]);
  });

  it('splits what one event cannot hold', async () => {
    const long = 'x'.repeat(1_000_000);
    const { queue, batches } = start(() => undefined, {
      sent: Array(8).fill(long),
    });

    await settle();

    isEmpty(queue);
    expect(batches.map(({ length }) => length)).toEqual([4, 4]);
  });

  it('ends at once, and leaves what was under way for the next time', async () => {
    const { queue, batches, close } = start(() => new Promise(() => undefined), {
      sent: ['a'],
    });
    await settle();
    expect(batches).toEqual([['a']]);

    await close();

    expect(queue.messages).toMatchObject([{ body: 'a' }]);
  });

  it.each(['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'])(
    'needs a role that may do %s',
    (lacking) => {
      const actions = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'];
      const allow = (granted: readonly string[]): StackModel => ({
        ...makeModel(),
        roles: {
          Role: [
            {
              effect: 'Allow',
              actions: granted.map((action) => `sqs:${action}`),
              resources: [queueArn('Jobs')],
            },
          ],
        },
      });

      expect(() => checkQueueGrants(allow(actions), source)).not.toThrow();
      expect(() =>
        checkQueueGrants(allow(actions.filter((action) => action !== lacking)), source),
      ).toThrow(
        `Source cannot drive Probe: its role Role does not allow sqs:${lacking} on ${queueArn('Jobs')}`,
      );
    },
  );
});
