import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findKnownLicense } from '../../../shared/domain/licenses/catalogue.ts';
import { rule, toRuledLicense } from '../../../shared/domain/licenses/compatibility.ts';
import {
  combine,
  type LicenseExpression,
  type LicenseTerm,
} from '../../../shared/domain/licenses/expression.ts';
import { ruleExpressions } from '../../../shared/domain/licenses/expression-compatibility.ts';
import { parseLicense } from '../../../shared/domain/licenses/parse-license.ts';

const tree = (text: string): LicenseExpression => parseLicense(text) ?? { license: text };

const ruled = (term: LicenseTerm) =>
  toRuledLicense(term, findKnownLicense(term.license)?.category ?? 'unknown');

const rulingOf = (code: LicenseExpression, work: LicenseExpression) =>
  ruleExpressions(code, work, (a, b) => rule(ruled(a), ruled(b)));

describe('the ruling on expressions', () => {
  it.each([
    ['MIT OR GPL-3.0-only', 'Apache-2.0', 'compatible'],
    ['MIT AND GPL-3.0-only', 'Apache-2.0', 'incompatible'],
    ['GPL-2.0-only OR Acme', 'MIT', 'unknown'],
    ['MIT OR Acme', 'GPL-2.0-only', 'compatible'],
    ['GPL-2.0-only AND Acme', 'MIT', 'incompatible'],
    ['GPL-2.0-only OR LicenseRef-Acme', 'MIT', 'unknown'],
    ['GPL-2.0-only AND LicenseRef-Acme', 'MIT', 'incompatible'],
    // Recipients may choose MIT.
    ['GPL-3.0-only', 'GPL-3.0-only OR MIT', 'incompatible'],
    // Each choice of the recipients is met by another license of the code.
    ['GPL-2.0-only OR GPL-3.0-only', 'GPL-2.0-only OR GPL-3.0-only', 'compatible'],
    ['GPL-2.0-only OR GPL-3.0-only', 'GPL-3.0-only OR GPL-2.0-only', 'compatible'],
    ['GPL-3.0-only', 'GPL-3.0-only AND MIT', 'unknown'],
    ['MIT', 'GPL-3.0-only AND Apache-2.0', 'compatible'],
    ['GPL-2.0-only', 'MIT AND Apache-2.0', 'incompatible'],
    ['MIT AND GPL-3.0-only', 'mit and gpl-3.0', 'compatible'],
    ['LicenseRef-A AND LicenseRef-B', 'LicenseRef-A AND LicenseRef-B', 'unknown'],
    ['GPL-2.0-with-classpath-exception', 'MIT', 'compatible'],
    ['apache-2.0 with llvm-exception OR BSD-4-Clause', 'GPL-2.0-only', 'compatible'],
  ])('%s in a work under %s: %s', (a, b, verdict) => {
    expect(rulingOf(tree(a), tree(b)).verdict).toBe(verdict);
  });
});

const ranks = { compatible: 0, unknown: 1, incompatible: 2 };
const license = fc
  .constantFrom('MIT', 'GPL-2.0-only', 'GPL-3.0-or-later', 'Apache-2.0', 'EUPL-1.2', 'SSPL-1.0')
  .map((name) => ({ license: name }));

it('never rules worse on a choice of licenses, nor better on all of them', () => {
  fc.assert(
    fc.property(license, license, license, (first, second, whole) => {
      const rank = (code: LicenseExpression) => ranks[rulingOf(code, whole).verdict];
      const single = [rank(first), rank(second)];

      expect(rank(combine('OR', [first, second]))).toBe(Math.min(...single));
      expect(rank(combine('AND', [first, second]))).toBe(Math.max(...single));
    }),
    { numRuns: 300, seed: 1 },
  );
});
