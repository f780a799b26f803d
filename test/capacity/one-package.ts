import { expect, it } from 'vitest';
import { statuses } from '../../shared/domain/review/status.ts';
import {
  selectVersion,
  type VersionSelector,
} from '../../shared/storage/packages/find-versions.ts';
import { listVersions } from '../../shared/storage/packages/list-versions.ts';
import { readReviewFile } from '../../shared/storage/reviews/review-file.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { measure } from '../support/engine.ts';
import { cleanScan } from './clean-scan.ts';
import { scanContext, writeContext } from './write-context.ts';

/** A package outside the generated data. */
export const id = { ecosystem: 'npm', name: '@acme/many-versions', version: '1.500.0' } as const;
const { ecosystem, name, version } = id;

const selectors: readonly VersionSelector[] = [
  { name },
  { name, ecosystem },
  ...statuses.map((status) => ({ name, status })),
  ...statuses.map((status) => ({ name, ecosystem, status })),
  { name, version },
  { name, version, ecosystem },
];

export const keepCleanScan = (): Promise<unknown> => saveScan(id, cleanScan(id), scanContext());

/** Submits a version of the package for each status, one of them scanned. */
export const submitOnePackage = async (): Promise<void> => {
  for (const [at, status] of statuses.entries()) {
    const submission = { ...id, version: at === 0 ? version : `1.${at}.0` };
    await submitPackage(submission, writeContext());
    if (status !== 'pending') {
      await decidePackage(submission, { to: status, by: 'ana', reason: null }, writeContext());
    }
  }
  await keepCleanScan();
};

/** Tests the read cost of the package and its scan, independent of other data. */
export const holdCostsOfOnePackage = (): void => {
  it.each(selectors)('is found with %j in one call for 1 unit', async (selector) => {
    const { result, readUnits, calls } = await measure(() => selectVersion(selector));

    expect(result.name).toBe(name);
    expect({ readUnits, calls }).toEqual({ readUnits: 1, calls: 1 });
  });

  it.each([
    [1, 2],
    [10, 3],
    [20, 5],
  ])('has a first page of %i versions for %i units in one round trip', async (limit, most) => {
    for (const selector of [{ name }, { name, ecosystem }]) {
      const page = { limit, offset: 0 };
      const { readUnits, calls, roundTrips } = await measure(() => listVersions(selector, page));

      expect(readUnits).toBeLessThanOrEqual(most);
      expect({ calls, roundTrips }).toEqual({ calls: 2, roundTrips: 1 });
    }
  });

  it.each(selectors)('shows its scan with %j in 2 calls for 2 units', async (selector) => {
    const { readUnits, calls } = await measure(async () =>
      readReviewFile(await selectVersion(selector)),
    );

    expect({ readUnits, calls }).toEqual({ readUnits: 2, calls: 2 });
  });
};
