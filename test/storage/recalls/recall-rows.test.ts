import { afterEach, beforeEach, expect, it } from 'vitest';
import { transact } from '../../../shared/storage/dynamodb/transact.ts';
import {
  countOldRecallsSince,
  endRecall,
  listRecalledBy,
  putRecall,
} from '../../../shared/storage/recalls/recall-rows.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const deadline = { remainingMs: () => 60_000 };

const toRecall = (version: string) => ({
  id: { ecosystem: 'npm' as const, name: 'axios', version },
  recall: { record: 'MAL-2026-1', at: '2026-01-02T00:00:00.000Z' },
});

const recall = (version: string, is_old: boolean) => {
  const about = { reason: 'Recalled: MAL-2026-1', approved_at: null, is_old };
  return transact(putRecall(toRecall(version), about), deadline);
};

it('lists a version that a record recalls after more than 1000 others whose recall ended', async () => {
  const versions = Array.from({ length: 1001 }, (_, at) => `1.0.${at}`);
  await runInParallel(versions, 8, async (version) => {
    await recall(version, false);
    await transact(endRecall(toRecall(version), '2026-01-03T00:00:00.000Z'), deadline);
  });
  await recall('9.0.0', false);

  expect(await listRecalledBy('MAL-2026-1')).toEqual([toRecall('9.0.0').id]);
});

it('counts all recalls as old ones if there are too many to read', async () => {
  for (const version of ['1.0.0', '2.0.0']) await recall(version, false);
  await recall('3.0.0', true);
  const since = new Date('2026-01-01T00:00:00Z');

  expect(await countOldRecallsSince(since, 4)).toBe(1);
  expect(await countOldRecallsSince(since, 2)).toBe(2);
});
