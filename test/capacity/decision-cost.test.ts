import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRecords } from '../../shared/storage/decisions/records.ts';
import { appendEvents } from '../../shared/storage/events/sequence.ts';
import {
  type DecisionRequest,
  decidePackage,
} from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { type Measurement, measure, startEngine, type TestEngine } from '../support/engine.ts';
import { writeContext } from './write-context.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const description = 'Pads a string on its left side';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await submitPackage({ ...id, description, license: 'MIT' }, writeContext());
});
afterAll(() => engine.close());

const unitsOf = ({ readUnits, writeUnits }: Measurement): number => readUnits + writeUnits;

const approval = { to: 'approved', by: 'ana', reason: 'because' } as const;
const rejection = { to: 'rejected', by: 'ana', reason: 'because' } as const;

/** The decisions in order, with their minimum cost: without review states, evidence in records, and marks for packs. */
const decisions: readonly [string, DecisionRequest, bare: number][] = [
  ['an approval', approval, 55],
  ['a reversal', rejection, 54],
  ['an approval with an expiry date', { ...approval, expires_in_days: 90 }, 55],
  ['a new expiry date', { ...approval, expires_in_days: 180 }, 50],
  ['a reversal that removes the expiry date', rejection, 54],
];

it.each(decisions)('%s costs at most 8 units more than the minimum', async (_, request, bare) => {
  const cost = await measure(() => decidePackage(id, request, writeContext()));

  expect(unitsOf(cost)).toBeLessThanOrEqual(bare + 8);
});

it.each([
  [1, 10],
  [2, 17],
])('%i events at once cost %i units', async (count, most) => {
  const records = await listRecords(id, { count: 10 });
  const fresh = records.slice(0, count).map((record, at) => ({ ...record, id: `${count}-${at}` }));

  const cost = await measure(() => appendEvents(fresh, writeContext().deadline));

  expect(unitsOf(cost)).toBeLessThanOrEqual(most);
});
