import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createQueues,
  type Queue,
  type Queues,
  type ReceivedMessage,
} from '../src/sqs/message-queues.ts';
import type { Queue as QueueModel } from '../src/template/model.ts';
import { model, probe } from './fixture/model.ts';
import { makeQueue } from './fixture/queue.ts';

let opened: Queues[];
let told: string[];

beforeEach(() => {
  opened = [];
  told = [];
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  for (const queues of opened) queues.close();
});

interface Pair {
  readonly jobs: Queue;
  readonly dead: Queue;
}

/** Opens a queue with a visibility timeout of ten seconds, and its dead-letter queue. */
const open = (change: Partial<QueueModel> = {}, file?: string): Pair => {
  const redrive = { queueId: 'Dead', queueArn: 'arn', maxReceiveCount: 2 };
  const more = { redrive, visibilityTimeoutSeconds: 10, ...change };
  const source = {
    id: 'Source',
    queueId: 'Jobs',
    functionId: probe.id,
    batchSize: 10,
    maxConcurrency: 2,
    reportsItemFailures: true,
  };
  const queues = createQueues(
    {
      ...model,
      queues: { Jobs: makeQueue('Jobs', more), Dead: makeQueue('Dead') },
      queueSources: { Source: source },
    },
    { file, onMessage: (_, line) => told.push(line) },
  );
  opened.push(queues);
  const { Jobs: jobs, Dead: dead } = queues.byId;
  if (!jobs || !dead) throw new Error('no queues');
  return { jobs, dead };
};

const pass = (seconds: number): void => {
  vi.setSystemTime(Date.now() + seconds * 1000);
};

const bodies = (messages: readonly { readonly body: string }[]): string[] =>
  messages.map(({ body }) => body);

const only = ([message, ...others]: readonly ReceivedMessage[]): ReceivedMessage => {
  if (!message || others.length > 0) throw new Error('not exactly one');
  return message;
};

describe('a queue', () => {
  it('hands out the oldest messages first, and as many as are asked for', () => {
    const { jobs } = open();
    for (const body of ['a', 'b', 'c']) jobs.send(body);

    expect(bodies(jobs.receive(2))).toEqual(['a', 'b']);
    expect(bodies(jobs.receive(2))).toEqual(['c']);
  });

  it('hides what it handed out until its time is over, and counts', () => {
    const { jobs } = open();
    jobs.send('a');
    const first = only(jobs.receive(1));

    pass(9);
    const hidden = jobs.receive(1);
    pass(1);
    const second = only(jobs.receive(1));

    expect(hidden).toEqual([]);
    expect([first.receiveCount, second.receiveCount]).toEqual([1, 2]);
    expect(second).toMatchObject({
      messageId: first.messageId,
      firstReceivedAt: first.firstReceivedAt,
    });
  });

  it('deletes by the last receipt alone', () => {
    const { jobs } = open();
    jobs.send('a');
    const first = only(jobs.receive(1));
    pass(10);
    const second = only(jobs.receive(1));

    jobs.delete(first.receiptHandle);
    const kept = jobs.messages;
    jobs.delete(second.receiptHandle);

    expect(bodies(kept)).toEqual(['a']);
    expect(jobs.messages).toEqual([]);
  });

  it('shows a message as late as its sender or the queue says', () => {
    const { jobs } = open({ delaySeconds: 5 });
    jobs.send('queue');
    jobs.send('sender', 1);

    pass(1);
    const early = jobs.receive(10);
    pass(4);

    expect(bodies(early)).toEqual(['sender']);
    expect(bodies(jobs.receive(10))).toEqual(['queue']);
  });

  it('gives up to its dead-letter queue what was handed out as often as may be', () => {
    const { jobs, dead } = open();
    const { messageId } = jobs.send('a');
    for (let tries = 0; tries < 2; tries += 1) {
      only(jobs.receive(1));
      pass(10);
    }

    expect(dead.messages).toEqual([]);
    expect(jobs.receive(1)).toEqual([]);
    expect(dead.messages).toMatchObject([{ messageId, body: 'a' }]);
    expect(bodies(dead.receive(1))).toEqual(['a']);
  });

  it('tells of messages that nothing consumes', () => {
    const { jobs, dead } = open({
      redrive: { queueId: 'Dead', queueArn: 'arn', maxReceiveCount: 1 },
    });
    dead.send('direct');
    jobs.send('given up');
    jobs.receive(1);
    pass(10);
    jobs.receive(1);

    expect(told).toEqual(['queue Dead received direct', 'queue Dead received given up']);
  });

  it('forgets what is older than it keeps', () => {
    const { jobs } = open({ retentionSeconds: 60 });
    jobs.send('old');
    pass(61);
    jobs.send('new');

    expect(bodies(jobs.receive(10))).toEqual(['new']);
  });

  it('has what it took after a restart, what was handed out included', () => {
    const directory = mkdtempSync(join(tmpdir(), 'queues-'));
    const file = join(directory, 'queues.sqlite');
    const before = open({}, file);
    before.jobs.send('handed out');
    before.jobs.receive(1);
    before.jobs.send('waiting');
    for (const queues of opened.splice(0)) queues.close();

    const { jobs } = open({}, file);

    expect(bodies(jobs.receive(10))).toEqual(['handed out', 'waiting']);
    for (const queues of opened.splice(0)) queues.close();
    rmSync(directory, { recursive: true });
  });
});
