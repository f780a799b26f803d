import { afterEach, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import {
  largeBucketPartition,
  readShard,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import { readCounters } from '../../../shared/storage/catalogue/counters.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { type CatalogueTarget, createTarget } from '../../../shared/storage/catalogue/target.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { withConflicts } from '../../support/conflicts.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { withFaults } from '../../support/faults.ts';
import { createRandom } from '../../support/random.ts';
import { smallLayout } from './history.ts';

const instances = 6;
const submissionsOfEach = 6;
const submissions = instances * submissionsOfEach;

let engine: TestEngine;
afterEach(() => engine.close());

/** An instance of a function at work: it submits, and decides on every other version. */
const work = async (catalogue: CatalogueTarget, instance: number): Promise<void> => {
  const context = { ...writeContext(), catalogue };
  for (let at = 0; at < submissionsOfEach; at += 1) {
    const id = { ecosystem: 'npm', name: `package-${instance}-${at}`, version: '1.0.0' } as const;
    await submitPackage(id, context);
    const request = { to: 'approved', by: 'ana', reason: null } as const;
    if (at % 2) await decidePackage(id, request, context);
  }
};

it.each([1, 4, 16])('counts exactly in %i shards while writers meet', async (shards) => {
  engine = await startEngine();
  const random = createRandom(shards);
  // All begin in the first shard.
  const targets = Array.from({ length: instances }, () => {
    const first = [0];
    return createTarget(shards, () => first.pop() ?? random.next(), smallLayout);
  });

  const { items } = await withConflicts(async (meetings) => {
    await withFaults(random, () => Promise.all(targets.map(work)), { lostAnswer: 10 });
    return meetings;
  });

  expect(items.length).toBeGreaterThan(0);
  const list = createCatalogue(smallLayout);
  const page = { order: oldestFirst, limit: 1, offset: 0 };
  expect((await list(page)).total).toBe(submissions);
  expect((await list({ ...page, status: 'approved' })).total).toBe(submissions / 2);
  const used = new Set((await readCounters(largeBucketPartition)).map(readShard));
  expect(used.size > 1).toBe(shards > 1);
  expect(Math.max(...used)).toBeLessThan(shards);
  const report = IntegrityReport.parse({});
  const deadline = { remainingMs: () => 60_000 };
  const { done, found } = await checkIntegrity(report, smallLayout, deadline);
  expect({ done, wrong: found['wrong_counter'] }).toEqual({ done: true, wrong: 0 });
});
