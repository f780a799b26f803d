import { describe, expect, it } from 'vitest';
import { findToken } from '../../../shared/platform/auth/find-token.ts';
import { createTokenLoader, type LoadEvent } from '../../../shared/platform/auth/token-loader.ts';

const seconds = (count: number): number => count * 1000;

/** A loader on a clock that stands still, before a secret that the test sets; undefined cannot be loaded. */
const setUp = (value: string | undefined) => {
  const world = { value, now: seconds(1000), fetches: 0, events: [] as LoadEvent[] };
  const loader = createTokenLoader({
    fetchValue: async () => {
      world.fetches += 1;
      if (world.value === undefined) throw new Error('throttled');
      return world.value;
    },
    now: () => world.now,
    report: (event) => world.events.push(event),
  });
  const accepts = async (token: string) => {
    const list = await loader.current();
    if (!list) return 'unknown';
    const fresher = findToken(list, token) ? list : ((await loader.refreshed()) ?? list);
    return findToken(fresher, token) ? 'yes' : 'no';
  };
  return { world, loader, accepts };
};

describe('the token loader', () => {
  it('asks once for many requests within a minute', async () => {
    const { world, accepts } = setUp('one');

    await Promise.all([accepts('one'), accepts('one')]);
    world.now += seconds(59);
    await accepts('one');

    expect(world.fetches).toBe(1);
  });

  it('stops accepting a removed token after a minute', async () => {
    const { world, accepts } = setUp('one');
    await accepts('one');

    world.value = 'two';
    world.now += seconds(59);
    const before = await accepts('one');
    world.now += seconds(1);
    const after = await accepts('one');

    expect([before, after]).toEqual(['yes', 'no']);
  });

  it('accepts a new token within ten seconds', async () => {
    const { world, accepts } = setUp('one');
    await accepts('one');

    world.value = 'one,two';
    world.now += seconds(10);

    expect(await accepts('two')).toBe('yes');
  });

  it('asks at most once in ten seconds, however many unknown tokens come', async () => {
    const { world, accepts } = setUp('one');
    for (let second = 0; second < 30; second += 1) {
      await Promise.all([accepts('x'), accepts('y'), accepts('z')]);
      world.now += seconds(1);
    }

    expect(world.fetches).toBe(3);
  });

  it('asks at most once in ten seconds while it cannot load another list', async () => {
    const { world, accepts } = setUp('one');
    await accepts('one');
    world.value = undefined;
    world.now += seconds(600);
    for (let second = 0; second < 30; second += 1) {
      expect(await accepts('one')).toBe('unknown');
      world.now += seconds(1);
    }

    expect(world.fetches).toBe(4);
  });

  it('asks again after 100 ms where the first load failed', async () => {
    const { world, accepts } = setUp(undefined);
    const first = await accepts('one');

    world.value = 'one';
    world.now += 99;
    const early = await accepts('one');
    world.now += 1;
    const again = await accepts('one');

    expect([first, early, again]).toEqual(['unknown', 'unknown', 'yes']);
    expect(world.fetches).toBe(2);
  });

  it('doubles its pauses up to ten seconds while no list was ever loaded, however many requests come', async () => {
    const { world, accepts } = setUp(undefined);
    const start = world.now;
    const asked: number[] = [];
    for (let ms = 0; ms <= seconds(60); ms += 50) {
      world.now = start + ms;
      const before = world.fetches;
      const verdicts = await Promise.all([accepts('one'), accepts('x'), accepts('y')]);
      expect(verdicts).toEqual(['unknown', 'unknown', 'unknown']);
      if (world.fetches > before) asked.push(ms);
      expect(world.fetches - before).toBeLessThanOrEqual(1);
    }

    expect(asked).toEqual([
      0, 100, 300, 700, 1500, 3100, 6300, 12_700, 22_700, 32_700, 42_700, 52_700,
    ]);
  });

  it('asks at most once in ten seconds as soon as it has a list', async () => {
    const { world, accepts } = setUp(undefined);
    await accepts('one');
    world.value = 'one';
    world.now += 100;
    await accepts('one');

    world.now += 9999;
    await accepts('x');

    expect(world.fetches).toBe(2);
  });

  it('serves the last good list for ten minutes, then none', async () => {
    const { world, accepts } = setUp('one');
    await accepts('one');

    world.value = undefined;
    world.now += seconds(599);
    const before = await accepts('one');
    world.now += seconds(1);
    const after = await accepts('one');

    expect([before, after]).toEqual(['yes', 'unknown']);
  });

  it.each(['{"port":5432,"x":1}', '5432', ' ', '\ufeff', ',,', 'not a token', 'sha256:1234'])(
    'takes %j for a failure and not for an empty list',
    async (value) => {
      const { world, loader } = setUp(value);

      expect(await loader.current()).toBeUndefined();
      expect(world.events).toMatchObject([{ kind: 'failed' }]);
    },
  );

  it.each(['{"a":30,"one":true}', 'null', ' '])(
    'serves the last good list while the secret holds %j, then none',
    async (value) => {
      const { world, accepts } = setUp('one');
      await accepts('one');

      world.value = value;
      world.now += seconds(599);
      const before = [await accepts('one'), await accepts('30'), await accepts('null')];
      world.now += seconds(1);

      expect(before).toEqual(['yes', 'no', 'no']);
      expect(await accepts('one')).toBe('unknown');
    },
  );

  it('asks again when the clock was set back', async () => {
    const { world, accepts } = setUp('one');
    await accepts('one');

    world.value = 'two';
    world.now -= seconds(3600);

    expect(await accepts('one')).toBe('no');
  });
});
