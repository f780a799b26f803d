import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRecord } from '../../../shared/storage/decisions/records.ts';
import { putAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { selectVersion } from '../../../shared/storage/packages/find-versions.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import {
  findEarlierDecisions,
  listLatestRecords,
} from '../../../shared/use-cases/review/find-earlier-decisions.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

const older = { ecosystem: 'npm', name: 'left-pad', version: '1.0.0' } as const;
const own = { ...older, version: '1.3.0' };
const actor = { label: 'ci', fingerprint: null };

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submitPackage(older, writeContext());
  await submitPackage(own, writeContext());
  await decidePackage(older, { to: 'rejected', by: 'ana', reason: 'no' }, writeContext());
});
afterEach(() => engine.close());

/** Writes records of a version after those that it has. */
const write = async (type: 'package.commented' | 'package.attention', count: number) => {
  const start = Date.now() + 1000;
  for (let place = 0; place < count; place += 1) {
    const at = new Date(start + place).toISOString();
    const facts = { type, by: 'ci', from: 'pending', to: 'pending', reason: 'x' } as const;
    await putAlone(addRecord(own, facts, { actor, at }));
  }
};

const find = async () =>
  findEarlierDecisions(await selectVersion(own), await listLatestRecords(own));

describe('earlier decisions of the evidence', () => {
  it('are found behind very many comments, in a few more calls', async () => {
    const before = await find();
    await write('package.commented', 450);
    const { result, calls } = await measure(find);

    expect(before).toMatchObject([{ version: '1.0.0', status: 'rejected', by: 'ana' }]);
    expect(result).toEqual(before);
    expect(calls).toBeLessThanOrEqual(2 + 3);
  });

  it('cost no further call without comments, however many records there are', async () => {
    const usual = await measure(find);
    await write('package.attention', 60);
    const many = await measure(find);

    expect(many.calls).toBe(usual.calls);
  });
});
