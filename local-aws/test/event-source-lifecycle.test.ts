import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { listenOnLoopback } from '../src/loopback.ts';
import { eventually } from './eventually.ts';
import {
  createCollector,
  type Invoke,
  modelWithout,
  useEventSources,
} from './fixture/event-sources.ts';

const sources = useEventSources();
const { start, put } = sources;
const servers: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of servers) await close();
});

describe('the position in a stream', () => {
  it.each([
    ['TRIM_HORIZON', ['before1', 'after1']],
    ['LATEST', ['after1']],
  ] as const)('begins at %s', async (startingPosition, expected) => {
    const { keys, invoke } = createCollector();
    await put('before', '1');

    await start({ startingPosition }, invoke);
    await put('after', '1');

    await eventually(() => expect(keys()).toEqual(expected));
  });

  it.each(['TRIM_HORIZON', 'LATEST'] as const)(
    'of %s survives a restart: nothing is lost, nothing done comes again',
    async (startingPosition) => {
      const { keys, invoke } = createCollector();
      const first = await start({ startingPosition }, invoke);
      await put('first', '1');
      await eventually(() => expect(keys()).toEqual(['first1']));
      await first.close();
      await put('between', '1');

      await start({ startingPosition }, invoke);
      await put('second', '1');

      await eventually(() => expect(keys()).toEqual(['first1', 'between1', 'second1']));
    },
  );

  it('stays before what was under way, even where nothing was ever done', async () => {
    const attempted = Promise.withResolvers<void>();
    const { keys, invoke } = createCollector();
    const first = await start({ startingPosition: 'LATEST' }, () => {
      attempted.resolve();
      throw new Error('failed');
    });
    await put('a', '1');
    await attempted.promise;
    await first.close();

    await start({ startingPosition: 'LATEST' }, invoke);

    await eventually(() => expect(keys()).toEqual(['a1']));
  });
});

describe('closing', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, Invoke]>([
    [
      'a batch is tried again',
      () => {
        throw new Error('failed');
      },
    ],
    ['the function is at work', () => new Promise(() => undefined)],
    ['nothing happens', () => undefined],
  ])('waits for no time to pass while %s', async (_, invoke) => {
    // With fake timers, pauses end only when the test advances the clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const invoked = Promise.withResolvers<void>();
    const running = await start({}, (records) => {
      invoked.resolve();
      return invoke(records);
    });
    await put('a', '1');
    await invoked.promise;

    await expect(running.close()).resolves.toBeUndefined();
  });
});

/** Starts a proxy that counts calls and forwards them to the engine, except for calls that it answers with an error. */
const countingEngine = async (
  findError: (body: string) => string | undefined = () => undefined,
) => {
  const counted = { requests: 0 };
  const server = createServer(async (request, response) => {
    counted.requests += 1;
    const body = await buffer(request);
    const error = findError(body.toString());
    if (error !== undefined) {
      response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.dynamodb#${error}` }));
      return;
    }
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
    const answer = await fetch(sources.engine.endpoint, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  const { url, close } = await listenOnLoopback(server, 0);
  servers.push(close);
  return { url, counted };
};

describe('a position that the engine has forgotten', () => {
  it('makes way for the oldest record that is left', async () => {
    const { keys, invoke } = createCollector();
    const first = await start({}, invoke);
    await put('a', '1');
    await eventually(() => expect(keys()).toEqual(['a1']));
    await first.close();
    const { url } = await countingEngine((body) =>
      body.includes('AFTER_SEQUENCE_NUMBER') ? 'TrimmedDataAccessException' : undefined,
    );

    await start({}, invoke, { endpoint: url });

    await eventually(() => expect(keys()).toEqual(['a1', 'a1']));
    expect(sources.problems).toEqual([]);
  });
});

/** Longer than any test, in milliseconds, so that only a write ends a wait. */
const forever = 3_600_000;

describe('an idle event source', () => {
  it('asks the engine once, and then waits a quarter of a second or for a write', async () => {
    const { url, counted } = await countingEngine();
    const { wait } = sources.writes;
    const waits: { readonly ms: number; readonly asked: number }[] = [];
    const enough = Promise.withResolvers<void>();
    sources.writes = {
      ...sources.writes,
      wait: async (count, ms, signal) => {
        waits.push({ ms, asked: counted.requests });
        if (waits.length < 5) return;
        enough.resolve();
        await wait(count, forever, signal);
      },
    };

    await start({}, () => undefined, { endpoint: url });
    await enough.promise;

    const [{ asked: first } = { asked: 0 }] = waits;
    expect(waits).toEqual([0, 1, 2, 3, 4].map((more) => ({ ms: 250, asked: first + more })));
  });

  it('looks at once when it is told of a write', async () => {
    const { keys, invoke } = createCollector();
    const { wait } = sources.writes;
    sources.writes = {
      ...sources.writes,
      wait: (count, _, signal) => wait(count, forever, signal),
    };
    await start({}, invoke);
    await put('warm', '1');
    await eventually(() => expect(keys()).toEqual(['warm1']));

    await put('a', '1');

    await eventually(() => expect(keys()).toEqual(['warm1', 'a1']));
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
      model: modelWithout(sources.table, action),
    });

    await expect(starting).rejects.toThrow(
      `Source cannot drive Probe: its role Role does not allow ${action} on arn:aws:`,
    );
    await expect(starting).rejects.toMatchObject({ name: 'StartError' });
  });

  it('needs no permission on a queue that the mapping has not', async () => {
    const starting = start({}, () => undefined, {
      model: modelWithout(sources.table, 'sqs:SendMessage'),
    });

    await expect(starting).resolves.toBeDefined();
  });
});
