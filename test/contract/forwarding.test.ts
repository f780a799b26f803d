import { createHash } from 'node:crypto';
import type { AwsHooks, FunctionCall } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { findQueue, functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const hooks: AwsHooks = {};
let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({
    hooks,
    osvUrl: 'http://127.0.0.1:9',
    // What is put into the queue stays there.
    transform: (model) => ({ ...model, queueSources: {} }),
  });
});
afterAll(() => registry.close());
afterEach(() => {
  hooks.onRequest = undefined;
});

const readQueue = (): string[] =>
  findQueue(registry, 'Scan').messages.map(({ body }) => JSON.parse(body).name);

/** Hands new versions of these names to the forwarder; their sequence numbers are their places. */
const forward = (names: readonly string[]): Promise<unknown> => {
  const { id } = functionOf(registry.stack.model, 'forward-versions');
  const Records = names.map((name, at) => ({
    dynamodb: {
      SequenceNumber: String(at),
      NewImage: { ecosystem: { S: 'npm' }, name: { S: name }, version: { S: '1.0.0' } },
    },
  }));
  return registry.stack.invoke(id, { Records });
};

const namesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/** Has SQS not take messages about these names, so many times. What it takes does not come to the queue. */
const refuse = (
  isRefused: (name: string) => boolean,
  times = Number.POSITIVE_INFINITY,
  SenderFault = false,
) => {
  const taken: string[] = [];
  let calls = 0;
  hooks.onRequest = ({ service, body }: FunctionCall) => {
    if (service !== 'sqs') return undefined;
    calls += 1;
    const left = calls <= times;
    const entries = body['Entries'] as readonly Entry[];
    const nameOf = ({ MessageBody }: Entry): string => JSON.parse(MessageBody).name;
    const Failed = entries.filter((entry) => left && isRefused(nameOf(entry)));
    const Successful = entries.filter((entry) => !Failed.includes(entry));
    taken.push(...Successful.map(nameOf));
    const answer = {
      Failed: Failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault })),
      Successful: Successful.map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      })),
    };
    return { status: 200, headers: {}, body: JSON.stringify(answer) };
  };
  return { taken, count: () => calls };
};

describe('a new version', () => {
  it('is put into the queue of what is to be scanned, once, with what names it', async () => {
    await registry.submit({ ecosystem: 'docker', name: 'an-image', version: '1.0' });
    await registry.submit({ ecosystem: 'npm', name: 'first', version: '1.0.0' });
    await registry.post(packagePath('first', '/approve'));
    await registry.submit({ ecosystem: 'pypi', name: 'Last', version: '1.0.0' });

    await eventually(() => expect(readQueue()).toContain('Last'));

    const bodies = findQueue(registry, 'Scan').messages.map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([
      { ecosystem: 'npm', name: 'first', version: '1.0.0' },
      { ecosystem: 'pypi', name: 'Last', version: '1.0.0' },
    ]);
  });
});

describe('the forwarder', () => {
  it('puts many versions into the queue, ten at a time', async () => {
    const calls: number[] = [];
    hooks.onRequest = ({ service, body }) => {
      if (service === 'sqs') calls.push((body['Entries'] as unknown[]).length);
    };
    const names = namesOf('many', 23);

    const answer = await forward(names);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual([10, 10, 3]);
    expect(readQueue()).toEqual(expect.arrayContaining(names));
  });

  it('leaves out a record that cannot be read, and forwards those beside it', async () => {
    const { id } = functionOf(registry.stack.model, 'forward-versions');
    const image = { ecosystem: { S: 'npm' }, name: { S: 'beside' }, version: { S: '1.0.0' } };
    const Keys = { name_key: { S: 'broken' } };
    const Records = [
      { dynamodb: { SequenceNumber: '0', Keys, NewImage: { ...image, name: { N: '1' } } } },
      { dynamodb: { SequenceNumber: '1', Keys, NewImage: image } },
    ];

    const answer = await registry.stack.invoke(id, { Records });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(readQueue()).toContain('beside');
    await expect
      .poll(() => registry.logs.filter(({ event }) => event === 'record_not_read'))
      .toMatchObject([{ sequence_number: '0', keys: Keys }]);
  });

  it('does not send again what the queue will never take', async () => {
    const { taken, count } = refuse((name) => name === 'bad-1', Number.POSITIVE_INFINITY, true);

    const answer = await forward(namesOf('bad', 3));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(taken).toEqual(['bad-0', 'bad-2']);
    expect(count()).toBe(1);
  });

  it('sends again what the queue did not take at first, and nothing else', async () => {
    const names = namesOf('late', 12);
    const { taken, count } = refuse((name) => name.endsWith('-3') || name.endsWith('-11'), 2);

    const answer = await forward(names);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(taken.toSorted()).toEqual(names.toSorted());
    expect(count()).toBe(3);
  });

  it('reports from where on versions have to come again', async () => {
    const names = namesOf('refused', 12);
    const { taken } = refuse((name) => name.endsWith('-3') || name.endsWith('-11'));

    const answer = await forward(names);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '3' }] });
    expect(taken).toHaveLength(10);
    expect(registry.logs).toContainEqual(
      expect.objectContaining({
        event: 'versions_not_forwarded',
        count: 2,
        first: expect.objectContaining({ name: 'refused-3' }),
      }),
    );
  });

  it('fails where it gets no further, so that it is noticed', async () => {
    refuse((name) => name.endsWith('-0'));

    await expect(forward(namesOf('stuck', 2))).rejects.toThrow(/A queue does not take/);
  });

  it('fails where SQS answers nothing', async () => {
    hooks.onRequest = ({ service }) =>
      service === 'sqs' ? { status: 500, headers: {}, body: '{}' } : undefined;

    await expect(forward(['unsent'])).rejects.toThrow(/A queue does not take/);
  });
});
