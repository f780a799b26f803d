import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { licenseCategories, rankCategory } from '../../../shared/domain/licenses/category.ts';
import {
  evaluateExpression,
  type LicenseVerdict,
} from '../../../shared/domain/licenses/evaluate.ts';
import type { LicenseExpression } from '../../../shared/domain/licenses/expression.ts';
import {
  compareStatuses,
  licenseStatuses,
} from '../../../shared/domain/licenses/license-status.ts';
import { parseLicense } from '../../../shared/domain/licenses/parse-license.ts';

const mit: LicenseVerdict = {
  status: 'approved',
  category: 'permissive',
  requires_attribution: true,
  allows_commercial: true,
  compatible_with: ['ISC', 'GPL-3.0-only'],
  incompatible_with: [],
};
const gpl: LicenseVerdict = {
  status: 'rejected',
  category: 'copyleft',
  requires_attribution: true,
  allows_commercial: true,
  compatible_with: ['GPL-3.0-only', 'AGPL-3.0-only'],
  incompatible_with: ['ISC'],
};
const noncommercial: LicenseVerdict = {
  status: 'approved',
  category: 'source-available',
  requires_attribution: false,
  allows_commercial: false,
  compatible_with: [],
  incompatible_with: ['MIT'],
};
const undecided: LicenseVerdict = {
  status: 'unreviewed',
  category: 'proprietary',
  requires_attribution: null,
  allows_commercial: null,
  compatible_with: ['ISC'],
  incompatible_with: [],
};
const records = new Map([
  ['MIT', mit],
  ['GPL-3.0-only', gpl],
  ['CC-BY-NC-4.0', noncommercial],
  ['LicenseRef-Undecided', undecided],
]);

const verdictOf = (text: string): LicenseVerdict =>
  evaluateExpression(parseLicense(text) ?? { license: text }, ({ license }) =>
    records.get(license),
  );

describe('the verdict on an expression', () => {
  it('takes the better record for OR, with what either allows', () => {
    expect(verdictOf('GPL-3.0-only OR MIT')).toEqual({
      ...mit,
      compatible_with: ['GPL-3.0-only', 'AGPL-3.0-only', 'ISC'],
      incompatible_with: [],
    });
  });

  it('takes the less restrictive category for OR if both are approved', () => {
    expect(verdictOf('CC-BY-NC-4.0 OR MIT').category).toBe('permissive');
  });

  it('takes the worse of everything for AND', () => {
    expect(verdictOf('MIT AND GPL-3.0-only AND CC-BY-NC-4.0')).toEqual({
      status: 'rejected',
      category: 'source-available',
      requires_attribution: true,
      allows_commercial: false,
      compatible_with: [],
      incompatible_with: ['ISC', 'MIT'],
    });
  });

  it('keeps for AND only what both allow', () => {
    expect(verdictOf('MIT AND GPL-3.0-only').compatible_with).toEqual(['GPL-3.0-only']);
  });

  it('does not know what a license without a record demands', () => {
    expect(verdictOf('MIT AND Nonsense-1.0 AND x')).toMatchObject({ status: 'unreviewed' });
    expect(verdictOf('LicenseRef-x AND MIT')).toEqual({
      status: 'unreviewed',
      category: 'unknown',
      requires_attribution: true,
      allows_commercial: null,
      compatible_with: [],
      incompatible_with: [],
    });
  });

  it('takes what nobody knows for no choice', () => {
    expect(verdictOf('GPL-3.0-only OR LicenseRef-x').status).toBe('rejected');
    expect(verdictOf('LicenseRef-x OR (LicenseRef-y AND LicenseRef-z)').status).toBe('unreviewed');
  });

  it('takes what nobody decided on for no choice beside what is rejected', () => {
    expect(verdictOf('GPL-3.0-only OR LicenseRef-Undecided')).toEqual(gpl);
    expect(verdictOf('GPL-3.0-only OR (MIT AND LicenseRef-x)').status).toBe('rejected');
    expect(verdictOf('GPL-3.0-only OR LicenseRef-Undecided OR MIT').status).toBe('approved');
    expect(verdictOf('LicenseRef-Undecided OR LicenseRef-x').status).toBe('unreviewed');
  });
});

const record = fc.record({
  status: fc.constantFrom(...licenseStatuses),
  category: fc.constantFrom(...licenseCategories),
  requires_attribution: fc.option(fc.boolean()),
  allows_commercial: fc.option(fc.boolean()),
  compatible_with: fc.subarray(['A', 'B', 'C']),
  incompatible_with: fc.subarray(['D', 'E', 'F']),
});

const combined = (
  operator: 'AND' | 'OR',
  [first, second]: readonly [LicenseVerdict, LicenseVerdict],
): LicenseVerdict => {
  const expression: LicenseExpression = {
    operator,
    operands: [{ license: 'first' }, { license: 'second' }],
  };
  return evaluateExpression(expression, ({ license }) => (license === 'first' ? first : second));
};

it('never makes OR worse than either choice, nor AND better', () => {
  fc.assert(
    fc.property(record, record, (first, second) => {
      const or = combined('OR', [first, second]);
      const and = combined('AND', [first, second]);
      const isRejected = [first, second].some(({ status }) => status === 'rejected');

      for (const { status, category, compatible_with } of [first, second]) {
        if (!(isRejected && status === 'unreviewed')) {
          expect(compareStatuses(or.status, status)).toBeLessThanOrEqual(0);
          expect(or.compatible_with).toEqual(expect.arrayContaining([...compatible_with]));
        }
        expect(compareStatuses(and.status, status)).toBeGreaterThanOrEqual(0);
        expect(rankCategory(and.category)).toBeGreaterThanOrEqual(rankCategory(category));
        expect(compatible_with).toEqual(expect.arrayContaining([...and.compatible_with]));
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
