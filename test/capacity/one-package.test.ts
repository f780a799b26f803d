import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listVersions } from '../../shared/storage/packages/list-versions.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { openRegistry } from './loaded-registry.ts';
import { holdCostsOfOnePackage, id, keepCleanScan } from './one-package.ts';

const versionsOfOnePackage = (count: number): RealisticPackage[] =>
  [...realisticPackages(count)].map((realistic, at) => ({
    ...realistic,
    submission: { ...realistic.submission, ...id, version: `1.${at}.0` },
  }));

describe('a package with 1,000 versions', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openRegistry(versionsOfOnePackage(1000));
    await keepCleanScan();
  });
  afterAll(() => engine.close());

  holdCostsOfOnePackage();

  it.each([
    { offset: 900, rows: 100 },
    { offset: 750, rows: 250 },
    { offset: 400, rows: 500 },
    { offset: 950, rows: 50 },
  ])('reads $rows rows for the page at offset $offset', async ({ offset, rows }) => {
    const all = await listVersions({ name: id.name }, { limit: 1000, offset: 0 });
    const { readUnits: most } = await measure(() =>
      listVersions({ name: id.name }, { limit: rows, offset: 0 }),
    );

    const deep = await measure(() => listVersions({ name: id.name }, { limit: 100, offset }));

    expect(deep.result).toEqual({
      packages: all.packages.slice(offset, offset + 100),
      total: 1000,
    });
    // The rows differ a little in size.
    expect(deep.readUnits).toBeLessThanOrEqual(1.1 * most);
    expect(deep.roundTrips).toBe(2);
  });

  it('shows nothing beyond the oldest version for 1 unit', async () => {
    const { result, readUnits } = await measure(() =>
      listVersions({ name: id.name }, { limit: 100, offset: 999_999 }),
    );

    expect({ ...result, readUnits }).toEqual({ packages: [], total: 1000, readUnits: 1 });
  });
});
