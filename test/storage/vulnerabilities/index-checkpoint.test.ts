import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { readItemsOf } from '../../../shared/storage/reviews/review-file.ts';
import {
  type IndexCheckpoint,
  LeaseLostError,
  lastCheckpointKey,
  leaseIndexing,
  toIndexCheckpoint,
} from '../../../shared/storage/vulnerabilities/index-checkpoint.ts';
import { listVersion } from '../../../shared/storage/vulnerabilities/list-version.ts';
import type { StoredMergedScan } from '../../../shared/storage/vulnerabilities/merged-scan-row.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { readAll, remove } from '../integrity/reviewed-registry.ts';
import { scanKnown, submitKnown } from './known-versions.ts';
import { expectListed, pickListed, sortItems } from './oracle.ts';

const enoughTime = { remainingMs: () => 20_000 };
const version: PackageId = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' };
const v = 'npm#left-pad#1.3.0';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const makeMergedScan = (summary: string): StoredMergedScan => ({
  ...{ version, status: 'pending', expires_at: null },
  entries: [
    {
      ...{ id: 'CVE-2026-1', aliases: [], summary, epss: null },
      effect: {
        ...{ severity: 'high', score: null, fixed_versions: [], components: [] },
        ...{ not_affecting: null, known_exploited: false, accepted_until: null },
      },
    },
  ],
});

const readCheckpoint = async (): Promise<IndexCheckpoint> =>
  toIndexCheckpoint(await readItemsOf(v, lastCheckpointKey));

const takeLease = async (checkpoint: IndexCheckpoint, summary: string, ids = ['CVE-2026-1']) =>
  leaseIndexing(
    v,
    checkpoint,
    { mergedScan: makeMergedScan(summary), ids, dueAt: null },
    enoughTime,
  );

/** Of a text that takes about as much when it is packed. */
const makeText = (bytes: number): string => randomBytes((bytes * 3) / 4).toString('base64');

it('takes a mergedScan and ids of which each alone is more than a transaction takes', async () => {
  const [summary, id] = [makeText(6_000_000), makeText(6_000_000)];

  const sent = vi.spyOn(dynamodb, 'send');
  const lease = await takeLease(await readCheckpoint(), summary, [id]);

  // DynamoDB takes 4 MB of one; the engine of these tests takes any.
  const transactions = sent.mock.calls.filter(([{ input }]) => 'TransactItems' in input);
  expect(transactions).toHaveLength(1);
  expect(JSON.stringify(transactions).length).toBeLessThan(10_000);
  sent.mockRestore();
  const checkpoint = await readCheckpoint();
  expect(checkpoint.isWhole && checkpoint.mergedScan?.entries[0]?.summary === summary).toBe(true);
  expect(checkpoint.openIds[0] === id).toBe(true);
  await lease.close(enoughTime);
  const closed = await readCheckpoint();
  expect(closed).toMatchObject({ leaseNumber: 1, openIds: [], isWhole: true });
  expect(closed.partKeys.length).toBeLessThan(checkpoint.partKeys.length);
});

it('takes nothing of a lease that never held for what is checkpoint, and takes its parts away later', async () => {
  const unleased = await readCheckpoint();
  await takeLease(unleased, 'one');
  await expect(takeLease(unleased, 'another one')).rejects.toBeInstanceOf(LeaseLostError);

  const checkpoint = await readCheckpoint();
  expect(checkpoint).toMatchObject({
    leaseNumber: 1,
    mergedScan: makeMergedScan('one'),
    openIds: ['CVE-2026-1'],
  });
  expect(checkpoint.partKeys).toHaveLength(4);
  const next = await takeLease(checkpoint, 'a third one');
  await next.close(enoughTime);

  const after = await readCheckpoint();
  expect(after).toMatchObject({
    leaseNumber: 2,
    mergedScan: makeMergedScan('a third one'),
    isWhole: true,
  });
  expect(after.partKeys).toHaveLength(1);
});

it('cannot be closed by a worker without the lease', async () => {
  const lost = await takeLease(await readCheckpoint(), 'one');
  await takeLease(await readCheckpoint(), 'another one');

  await expect(lost.close(enoughTime)).rejects.toBeInstanceOf(LeaseLostError);
  expect(await readCheckpoint()).toMatchObject({ leaseNumber: 2, openIds: ['CVE-2026-1'] });
});

it('is written again if a part of it was lost', async () => {
  const found = { id: 'CVE-2026-1', aliases: [], severity: 'high', isHarmless: false } as const;
  const known = await scanKnown(await submitKnown('lost'), [{ ...found, known_exploited: false }]);
  const key = 'npm#lost#1.0.0';
  await listVersion(key, enoughTime);
  const parts = (await readItemsOf(key, lastCheckpointKey)).filter(({ k }) =>
    k.startsWith('synced#'),
  );
  for (const { k } of parts) await remove('reviews', { v: key, k });

  await listVersion(key, enoughTime);

  const checkpoint = toIndexCheckpoint(await readItemsOf(key, lastCheckpointKey));
  expect([parts.length, checkpoint.isWhole, checkpoint.mergedScan?.version.name]).toEqual([
    1,
    true,
    'lost',
  ]);
  expect(sortItems(pickListed(await readAll('reviews')))).toEqual(sortItems(expectListed([known])));
});
