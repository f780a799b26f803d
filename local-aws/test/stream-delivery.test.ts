import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../src/streams/delivery.ts';
import type { Failure } from '../src/streams/failure-record.ts';
import { readSequenceNumber } from '../src/streams/stream-event.ts';
import type { EventSource } from '../src/template/model.ts';
import { eventSource, readSequences, record } from './fixture/stream.ts';

/** Returns the function's result. `invocation` counts from 1; `sequences` are the records' sequence numbers. */
type Answer = (invocation: number, sequences: readonly number[]) => unknown;

const identifier = (sequence: number): string => readSequenceNumber(record(sequence));

const failures = (...sequences: number[]) => ({
  batchItemFailures: sequences.map((sequence) => ({ itemIdentifier: identifier(sequence) })),
});

const fail = (): never => {
  throw new Error('failed');
};

/** Delivers four records. Returns the records of each invocation, and the records that were given up. */
const deliverFour = async (
  change: Partial<EventSource>,
  answer: Answer,
  batch = [1, 2, 3, 4].map((sequence) => record(sequence)),
) => {
  const invocations: number[][] = [];
  const givenUp: Failure[] = [];
  await deliver(batch, {
    source: { ...eventSource, ...change },
    invoke: async (records) => {
      invocations.push(readSequences(records));
      return answer(invocations.length, readSequences(records));
    },
    giveUp: (failure) => givenUp.push(failure),
    signal: new AbortController().signal,
  });
  return {
    invocations,
    givenUp: givenUp.map(({ records, ...failure }) => ({
      ...failure,
      records: readSequences(records),
    })),
  };
};

const all = [1, 2, 3, 4];

afterEach(() => {
  vi.useRealTimers();
});

describe('a batch', () => {
  it('is delivered once when the function succeeds', async () => {
    const { invocations, givenUp } = await deliverFour({}, () => undefined);

    expect({ invocations, givenUp }).toEqual({ invocations: [all], givenUp: [] });
  });

  it('is delivered again as a whole until the function succeeds', async () => {
    const { invocations } = await deliverFour({}, (invocation) => invocation < 3 && fail());

    expect(invocations).toEqual([all, all, all]);
  });

  it('is given up when its retries are used up', async () => {
    const { invocations, givenUp } = await deliverFour({ maxRetryAttempts: 2 }, fail);

    expect(invocations).toEqual([all, all, all]);
    expect(givenUp).toEqual([
      {
        condition: 'RetryAttemptsExhausted',
        records: all,
        invocations: 3,
        functionError: true,
      },
    ]);
  });

  it('is halved down to the record that fails, which alone is given up', async () => {
    const { invocations, givenUp } = await deliverFour(
      { bisectsOnError: true, maxRetryAttempts: 1 },
      (_, sequences) => sequences.includes(3) && fail(),
    );

    expect(invocations).toEqual([all, [1, 2], [3, 4], [3], [3], [4]]);
    expect(givenUp).toMatchObject([{ condition: 'RetryAttemptsExhausted', records: [3] }]);
  });

  it('loses only the records that are too old', async () => {
    const batch = [record(1, 9000), record(2, 8000), record(3), record(4)];

    const { invocations, givenUp } = await deliverFour(
      { maxRecordAgeSeconds: 5 },
      () => undefined,
      batch,
    );

    expect(invocations).toEqual([[3, 4]]);
    expect(givenUp).toEqual([
      { condition: 'RecordAgeExceeded', records: [1, 2], invocations: 0, functionError: false },
    ]);
  });

  it('is given up when it becomes too old between retries', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });

    const { givenUp } = await deliverFour({ maxRecordAgeSeconds: 60 }, () => {
      vi.setSystemTime(Date.now() + 61_000);
      return fail();
    });

    expect(givenUp).toMatchObject([{ condition: 'RecordAgeExceeded', records: all }]);
  });

  it('is not tried again once it is aborted between attempts', async () => {
    const stopping = new AbortController();
    let invocations = 0;

    const delivery = deliver([record(1)], {
      source: eventSource,
      invoke: async () => {
        invocations += 1;
        setImmediate(() => stopping.abort());
        throw new Error('failed');
      },
      giveUp: fail,
      signal: stopping.signal,
    });

    await expect(delivery).rejects.toMatchObject({ name: 'AbortError' });
    expect(invocations).toBe(1);
  });

  it('is delivered no more once it is aborted, even while the function is at work', async () => {
    const stopping = new AbortController();
    const { promise: never } = Promise.withResolvers();

    const delivery = deliver([record(1)], {
      source: eventSource,
      invoke: () => {
        stopping.abort();
        return never;
      },
      giveUp: fail,
      signal: stopping.signal,
    });

    await expect(delivery).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a partial batch response', () => {
  const reporting = { reportsItemFailures: true, maxRetryAttempts: 1 };

  it.each<[string, unknown]>([
    ['no failures', failures()],
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
  ])('with %s is a success', async (_, answer) => {
    const { invocations } = await deliverFour(reporting, () => answer);

    expect(invocations).toEqual([all]);
  });

  it('has everything from the first failed record delivered again', async () => {
    const { invocations } = await deliverFour(reporting, (invocation) =>
      invocation === 1 ? failures(4, 2) : failures(),
    );

    expect(invocations).toEqual([all, [2, 3, 4]]);
  });

  it('gives up what is left when the retries are used up', async () => {
    const { invocations, givenUp } = await deliverFour(reporting, (_, [first = 0]) =>
      failures(Math.max(first, 3)),
    );

    expect(invocations).toEqual([all, [3, 4]]);
    expect(givenUp).toMatchObject([{ records: [3, 4], functionError: false }]);
  });

  it('is where a batch is split, at no cost in retries', async () => {
    const { invocations, givenUp } = await deliverFour(
      { ...reporting, bisectsOnError: true, maxRetryAttempts: 0 },
      (_, sequences) => (sequences.includes(2) ? failures(2) : failures()),
    );

    expect(invocations).toEqual([all, [2, 3, 4], [2, 3], [2], [3], [4]]);
    expect(givenUp).toMatchObject([{ records: [2] }]);
  });

  it.each<[string, unknown]>([
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['another key', { batchItemFailures: [{ id: '1' }] }],
    ['a record of another batch', failures(9)],
    ['no object', 'ok'],
  ])('with %s fails the whole batch', async (_, answer) => {
    const { invocations } = await deliverFour(reporting, (invocation) =>
      invocation === 1 ? answer : undefined,
    );

    expect(invocations).toEqual([all, all]);
  });

  it('means nothing to a mapping that did not ask for it', async () => {
    const { invocations } = await deliverFour({}, () => failures(1));

    expect(invocations).toEqual([all]);
  });
});
