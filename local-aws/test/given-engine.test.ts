import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListeningServer } from '../src/loopback.ts';
import type { LocalStack, StackOptions } from '../src/stack/start-stack.ts';
import { putThing } from './fixture/client.ts';
import { startKeyedEngine } from './fixture/keyed-engine.ts';
import { listThings, seedThing, useStacks } from './fixture/stacks.ts';

const stacks = useStacks();
let engine: ListeningServer;

beforeAll(async () => {
  engine = await startKeyedEngine();
});
afterAll(() => engine.close());

const start = (options: Partial<StackOptions> = {}): Promise<LocalStack> =>
  stacks.start({ dynamodbEndpoint: engine.url, data: stacks.directory, ...options });

const stop = async (): Promise<void> => {
  await stacks.running.pop()?.close();
};

describe('an engine with a database for each access key', () => {
  it('holds one database for a stack: what fills it, its functions and its administrator agree', async () => {
    const stack = await start({ seed: (prepared) => seedThing(prepared, 'seed') });

    await putThing(stack, 'written');

    expect((await listThings(stack)).sort()).toEqual(['seed', 'written']);
  });

  it('has the data of a folder when it is used again', async () => {
    const seed = vi.fn();
    await putThing(await start({ seed }), 'kept');
    await stop();

    const again = await start({ seed });

    expect(await listThings(again)).toEqual(['kept']);
    expect(seed).toHaveBeenCalledTimes(1);
  });

  it('is filled anew after a first start that failed half-way', async () => {
    const half = async (prepared: Parameters<typeof seedThing>[0]): Promise<void> => {
      await seedThing(prepared, 'half');
      throw new Error('cut short');
    };
    await expect(start({ seed: half })).rejects.toThrow('cut short');

    const stack = await start({ seed: (prepared) => seedThing(prepared, 'whole') });

    expect(await listThings(stack)).toEqual(['whole']);
  });

  it('keeps stacks apart that keep nothing', async () => {
    const [left, right] = await Promise.all([
      start({ data: ':memory:' }),
      start({ data: ':memory:' }),
    ]);

    await putThing(left, 'left');

    expect([await listThings(left), await listThings(right)]).toEqual([['left'], []]);
  });
});
