import { expect, inject, it } from 'vitest';
import { histories } from '../support/histories.ts';
import { startKilling } from './histories/run-killed-histories.ts';

/** One short history, so that every test run can include it. */
const size = { kills: 1, stepsOfEach: 6 };

it('keeps acknowledged writes after a kill, and workers catch up', async () => {
  const killing = await startKilling(inject('assembly'), 1);

  const violations: string[] = [];
  for (let seed = 1; seed <= histories(1); seed += 1) {
    violations.push(...(await killing.runHistory(seed, size)).violations);
  }
  violations.push(...(await killing.settle()));
  await killing.close();

  expect(violations).toEqual([]);
});
