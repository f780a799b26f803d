import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  modelledBuilds,
  modelledSizes,
  priceBuilds,
  priceMonth,
  priceSigning,
} from '../bench/model/month.ts';
import { tableOfBuilds, tableOfMonths, tableOfSigning } from '../bench/model/report.ts';

const page = readFileSync('docs/speed.md', 'utf8');
const months = modelledSizes.map(priceMonth);

it('shows the prices that the model computes', () => {
  expect(page).toContain(tableOfMonths(months));
  expect(page).toContain(tableOfSigning(modelledSizes.map(priceSigning)));
  expect(page).toContain(tableOfBuilds(priceBuilds(modelledBuilds)));
});

it.each([
  [1_000_000, 60],
  [10_000_000, 500],
])('computes a price for %i versions below %i USD', (versions, most) => {
  expect(priceMonth(versions).total).toBeLessThan(most);
});
