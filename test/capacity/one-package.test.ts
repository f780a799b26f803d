import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statuses } from '../../shared/domain/status.ts';
import {
  listVersions,
  selectVersion,
  type VersionSelector,
} from '../../shared/store/packages/find-versions.ts';
import { findLatestScan, keepScan } from '../../shared/store/scans/scans.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { cleanScan } from './clean-scan.ts';
import { openRegistry } from './loaded-registry.ts';
import { writeContext } from './write-context.ts';

/** What one package and one scan cost to read: not more in a package with 1,000 versions. */

const id = { ecosystem: 'npm', name: '@acme/many-versions', version: '1.500.0' } as const;
const { ecosystem, name, version } = id;

const selectors: readonly VersionSelector[] = [
  { name },
  { name, ecosystem },
  ...statuses.map((status) => ({ name, status })),
  ...statuses.map((status) => ({ name, ecosystem, status })),
  { name, version },
  { name, version, ecosystem },
];

const versionsOfOnePackage = (count: number): RealisticPackage[] =>
  [...realisticPackages(count)].map((realistic, at) => ({
    ...realistic,
    submission: { ...realistic.submission, ...id, version: `1.${at}.0` },
  }));

/** A package in the midst of others. */
const inTheMidst = (count: number): RealisticPackage[] => [
  ...realisticPackages(count),
  ...statuses.map((status, at) => ({
    submission: { ...id, version: at === 0 ? version : `1.${at}.0` },
    ...(status !== 'pending' && { decision: { to: status, by: 'ana', reason: null } }),
  })),
];

describe.each([
  ['with 1,000 versions', versionsOfOnePackage(1000)],
  ['among 1,000 versions', inTheMidst(1000)],
  ['among 10,000 versions', inTheMidst(10_000)],
])('a package %s', (_, packages) => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openRegistry(packages);
    await keepScan(id, cleanScan(id), { deadline: writeContext().deadline });
  });
  afterAll(() => engine.close());

  it.each(selectors)('is found by %j in one call for 1 unit', async (selector) => {
    const { result, readUnits, calls } = await measure(() => selectVersion(selector));

    expect(result.name).toBe(name);
    expect({ readUnits, calls }).toEqual({ readUnits: 1, calls: 1 });
  });

  it.each([
    [1, 2],
    [20, 4],
  ])('has a first page of %i versions for %i units', async (limit, most) => {
    const { readUnits, calls } = await measure(() => listVersions({ name }, { limit, offset: 0 }));

    expect(readUnits).toBeLessThanOrEqual(most);
    expect(calls).toBe(2);
  });

  it.each(selectors)('has its scan found by %j in 2 calls for 2 units', async (selector) => {
    const { readUnits, calls } = await measure(async () =>
      findLatestScan(await selectVersion(selector)),
    );

    expect({ readUnits, calls }).toEqual({ readUnits: 2, calls: 2 });
  });
});
