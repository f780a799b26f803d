import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInParallel } from '../../shared/util/in-parallel.ts';

const numbers = Array.from({ length: 20 }, (_, at) => at);

describe('work in parallel', () => {
  it('has its results in the order of the items, and at most as many runs as allowed', async () => {
    let [running, most] = [0, 0];

    const results = await runInParallel(numbers, 3, async (number) => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      return number * 2;
    });

    expect(results).toEqual(numbers.map((number) => number * 2));
    expect(most).toBe(3);
  });

  it('begins nothing after a failure, and fails when the running work has ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];

    const work = runInParallel(numbers, 3, async (number) => {
      begun.push(number);
      if (number === 1) throw new Error('one fails');
      await setImmediate();
      ended.push(number);
    });

    await expect(work).rejects.toThrow('one fails');
    expect(ended).toEqual([0, 2]);
    await setImmediate();
    expect(begun).toEqual([0, 1, 2]);
  });
});
