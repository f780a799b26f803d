import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import policy from '../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../shared/api/schemas/license-policy.ts';
import type { LicensesQuery } from '../../shared/api/schemas/licenses-query.ts';
import { knownLicenses } from '../../shared/domain/licenses/catalogue.ts';
import { parseLicense } from '../../shared/domain/licenses/parse-license.ts';
import { compareLicenses } from '../../shared/use-cases/licensing/compare-licenses.ts';
import { findLicense } from '../../shared/use-cases/licensing/find-license.ts';
import { listLicenses } from '../../shared/use-cases/licensing/list-licenses.ts';
import { loadLicenses } from '../../shared/use-cases/licensing/load-licenses.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { writeContext } from './write-context.ts';

/** The cost of reading licenses, with every license of SPDX loaded. */

let engine: TestEngine;

const load = () => loadLicenses(LicensePolicy.parse(policy), writeContext().deadline);

const find = (name: string) => {
  const expression = parseLicense(name);
  if (!expression) throw new Error(`${name} is no license`);
  return findLicense(expression);
};

beforeAll(async () => {
  engine = await startEngine();
  await load();
});
afterAll(() => engine.close());

describe('a license', () => {
  it.each([
    ['MIT', 1],
    ['Apache-2.0 OR MIT', 2],
    ['(MIT OR Zlib) AND (MIT OR ISC)', 3],
    ['GPL-2.0-only WITH Classpath-exception-2.0', 3],
  ])('%s is found in one call for at most %d units', async (name, units) => {
    const { result, readUnits, calls } = await measure(() => find(name));

    expect(result).toBeDefined();
    expect(calls).toBe(1);
    expect(readUnits).toBeLessThanOrEqual(units);
  });

  it('is compared with another SPDX license without a call', async () => {
    const { calls } = await measure(() => compareLicenses('MIT', 'GPL-3.0-only'));

    expect(calls).toBe(0);
  });
});

describe('a list of licenses', () => {
  const page: LicensesQuery = { limit: 100, offset: 0 };

  it('reads every license in one call for at most 22 units', async () => {
    const { result, readUnits, calls } = await measure(() => listLicenses(page));

    expect(result.total).toBe(knownLicenses.length);
    expect(calls).toBe(1);
    expect(readUnits).toBeLessThanOrEqual(22);
  });

  it('reads only the licenses that match a filter', async () => {
    const { result, readUnits, calls } = await measure(() =>
      listLicenses({ ...page, category: 'network-copyleft' }),
    );

    expect(result.total).toBeGreaterThan(0);
    expect({ readUnits, calls }).toEqual({ readUnits: 1, calls: 1 });
  });
});

describe('a repeated load of licenses', () => {
  it('writes only the policy', async () => {
    const { result, calls } = await measure(load);

    expect(result).toBe(0);
    expect(calls).toBe(2);
  });
});
