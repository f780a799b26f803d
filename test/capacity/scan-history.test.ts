import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../shared/domain/tokens/actor.ts';
import { transact } from '../../shared/storage/dynamodb/transact.ts';
import { selectVersion } from '../../shared/storage/packages/find-versions.ts';
import { listScans, putScan } from '../../shared/storage/scans/scans.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { failedScan } from './clean-scan.ts';
import { writeContext } from './write-context.ts';

const itemsATransaction = 100;

const toId = (scans: number) =>
  ({ ecosystem: 'npm', name: `scanned-${scans}-times`, version: '1.0.0' }) as const;

const keepScans = async (count: number): Promise<void> => {
  const id = toId(count);
  await submitPackage(id, writeContext());
  const writes = Array.from({ length: count }, (_, at) =>
    putScan(id, { number: at + 1, result: failedScan(id), actor: anonymous, mayReview: false }),
  );
  for (let at = 0; at < count; at += itemsATransaction) {
    await transact(writes.slice(at, at + itemsATransaction), writeContext().deadline);
  }
};

const show = (count: number, page: { limit: number; offset: number }) =>
  measure(async () => listScans(await selectVersion(toId(count)), page));

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

describe.each([0, 1, 43, 300])('a version with %i scans', (count) => {
  beforeAll(() => keepScans(count));

  it.each([1, 20, 100])(
    'shows its latest %i scans in 2 calls, for the units of their size',
    async (limit) => {
      const { result, calls, roundTrips, readUnits } = await show(count, { limit, offset: 0 });

      const numbers = result.scans.map(({ tools }) => tools[0]?.number);
      const shown = Math.min(limit, count);
      expect(numbers).toEqual(Array.from({ length: shown }, (_, at) => count - at));
      expect(result).toMatchObject({ total: count, limit });
      expect({ calls, roundTrips }).toEqual({ calls: 2, roundTrips: 2 });
      // One unit for the version, and one for each 4 KB of scans.
      expect(readUnits).toBeLessThanOrEqual(2 + shown / 5);
    },
  );

  it.each([1, 42, 299, 1000])(
    'shows the scans after the first %i in at most 3 calls',
    async (offset) => {
      const { result, calls, readUnits } = await show(count, { limit: 5, offset });

      const rest = Math.max(0, count - offset);
      const numbers = Array.from({ length: Math.min(5, rest) }, (_, at) => rest - at);
      expect(result.scans.map(({ tools }) => tools[0]?.number)).toEqual(numbers);
      expect(result.total).toBe(count);
      expect(calls).toBeLessThanOrEqual(3);
      expect(readUnits).toBeLessThanOrEqual(4);
    },
  );
});
