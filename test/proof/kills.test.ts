import { expect, inject, it } from 'vitest';
import { histories } from '../support/histories.ts';
import { startKilling } from './histories/run-killed-histories.ts';

it('a registry that is killed while others write keeps what it acknowledged, and workers catch up', async () => {
  const killing = await startKilling(inject('assembly'), 1);

  const violations: string[] = [];
  for (let seed = 1; seed <= histories(1); seed += 1) {
    violations.push(...(await killing.runHistory(seed)).violations);
  }
  violations.push(...(await killing.settle()));
  await killing.close();

  expect(violations).toEqual([]);
});
