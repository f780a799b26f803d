import { expect, inject, it } from 'vitest';
import { histories } from '../support/histories.ts';
import { startKilling } from './histories/run-killed-histories.ts';

/** Short, so that it is part of every run of the tests. */
const size = { kills: 1, stepsOfEach: 6 };

it('a registry that is killed while others write keeps what it acknowledged, and workers catch up', async () => {
  const killing = await startKilling(inject('assembly'), 1);

  const violations: string[] = [];
  for (let seed = 1; seed <= histories(1); seed += 1) {
    violations.push(...(await killing.runHistory(seed, size)).violations);
  }
  violations.push(...(await killing.settle()));
  await killing.close();

  expect(violations).toEqual([]);
});
