import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrityReport } from '../../shared/api/schemas/integrity.ts';
import { readTableName } from '../../shared/api/settings/env.ts';
import { toVersionKey } from '../../shared/domain/packages/package-id.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { makeRows } from '../../shared/storage/catalogue/rows.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { checkIntegrity } from '../../shared/storage/integrity/check-integrity.ts';
import { parseSequenceNumber } from '../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../shared/storage/packages/write-version.ts';
import { indexReview } from '../../shared/storage/reviews/index-reviews.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { openRegistry } from './loaded-registry.ts';

/** The cost of an integrity check for each version, which must not grow with the registry. */

/** Long enough to load 10,000 versions on a busy machine. */
const loadMs = 900_000;
const enoughTime = { remainingMs: () => 60_000 };

const check = (request: Partial<IntegrityReport> = {}) =>
  measure(() => checkIntegrity(IntegrityReport.parse(request), defaultLayout, enoughTime));

describe.each([1000, 10_000])('the integrity check of %i versions', (size) => {
  const packages = [...realisticPackages(size)];
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openRegistry(packages);
    await runInParallel(packages, 8, ({ submission }) => indexReview(toVersionKey(submission)));
  }, loadMs);
  afterAll(() => engine.close());

  it(
    'costs 4 read units and 0.2 round trips a version',
    async () => {
      const { result, readUnits, roundTrips, calls, writeUnits } = await check();

      expect(result).toMatchObject({ done: true, unjudged: 0, repaired: 0 });
      expect(Object.values(result.found).every((count) => count === 0)).toBe(true);
      expect(result.checked).toMatchObject({ versions: size, rows: 0, records: 0 });
      expect(readUnits / size).toBeLessThanOrEqual(4);
      expect(calls / size).toBeLessThanOrEqual(0.65);
      expect(roundTrips / size).toBeLessThanOrEqual(0.2);
      expect(writeUnits).toBe(0);
      console.log({
        size,
        readUnits: readUnits / size,
        calls: calls / size,
        trips: roundTrips / size,
      });
    },
    loadMs,
  );

  it(
    'looks up the rows of few versions around a wrong one',
    async () => {
      const [first] = packages;
      const version = first && (await findVersion(first.submission));
      if (!version) throw new Error('There is no version');
      const numbered = { ...version, sequence: parseSequenceNumber(version.sequence) };
      const [, row] = makeRows(numbered, defaultLayout);
      const key = { p: row?.p, o: row?.o };
      await dynamodb.send(new DeleteCommand({ TableName: readTableName('catalogue'), Key: key }));

      const { result, readUnits } = await check();

      expect(result.found).toMatchObject({ missing_row: 1, wrong_row: 0, orphaned_row: 0 });
      expect(readUnits / size).toBeLessThanOrEqual(5);
      console.log({ damaged: readUnits / size, rows: result.checked['rows'] });
    },
    loadMs,
  );

  it(
    'costs at most 40 units where all rows must be looked up',
    async () => {
      const sums = Buffer.alloc(2 ** 16, 1).toString('base64');
      const row_sums = { seed: '', rangeBits: 0, sums };

      const { result, readUnits } = await check({ next: { phase: 'versions' }, row_sums });

      expect(result.found).toMatchObject({ missing_row: 1 });
      expect(result.checked['rows']).toBeGreaterThan(20 * size);
      expect(readUnits / size).toBeLessThanOrEqual(40);
      console.log({ worst: readUnits / size });
    },
    loadMs,
  );
});
