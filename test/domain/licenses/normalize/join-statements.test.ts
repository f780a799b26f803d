import { describe, expect, it } from 'vitest';
import policy from '../../../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../../../shared/api/schemas/license-policy.ts';
import { findKnownLicense } from '../../../../shared/domain/licenses/catalogue.ts';
import { evaluateExpression } from '../../../../shared/domain/licenses/evaluate.ts';
import { hasUnknownAddition } from '../../../../shared/domain/licenses/exceptions.ts';
import {
  compareStatuses,
  type LicenseStatus,
} from '../../../../shared/domain/licenses/license-status.ts';
import {
  isCovered,
  joinListed,
  joinStatements,
} from '../../../../shared/domain/licenses/normalize/join-statements.ts';
import { readExpression } from '../../../../shared/domain/licenses/normalize/normalize-expression.ts';
import { parseLicense } from '../../../../shared/domain/licenses/parse-license.ts';

const { categories } = LicensePolicy.parse(policy);
const unlisted = { compatible_with: [], incompatible_with: [] };

/** What the policy as it is delivered says of a license. */
const judge = (license: string | undefined): LicenseStatus => {
  const tree = parseLicense(license ?? '');
  if (!tree) return 'unreviewed';
  return evaluateExpression(readExpression(tree), (term) => {
    const facts = hasUnknownAddition(term) ? undefined : findKnownLicense(term.license);
    return facts && { ...facts, ...unlisted, status: categories[facts.category] };
  }).status;
};

const statements = [
  ...['MIT', 'the MIT License', 'BSD', 'BSD-3-Clause', 'GPL', 'GPLv3', 'GPL-3.0-or-later', 'LGPL'],
  ...['AGPL-3.0-only', 'GNU AGPL v3 or later', 'Elastic', 'Proprietary', 'CC BY-NC 4.0', 'SSPL'],
  ...['MIT OR AGPL-3.0-only', 'MIT AND AGPL-3.0-only', 'MIT/ISC', 'MIT or Apache 2', 'EUPL 1.2'],
  ...['Apache-2.0 WITH LLVM-exception', 'MIT WITH Commons-Clause', 'MIT OR (ISC AND EUPL-1.2)'],
  ...['MIT or Apache 2, ISC', 'Common Development and Distribution License', 'MIT and Elastic'],
  ...['Acme EULA', 'AGPL-ish', 'MIT OR Acme', 'see LICENSE', 'GPL-2.0-only OR EUPL-1.2'],
];

const pairs = statements.flatMap((first) => statements.map((second) => [first, second] as const));

describe('two statements on a license', () => {
  it('are never judged better than either of them', () => {
    const better = pairs.filter(([first, second]) => {
      const joined = judge(joinStatements(first, second));
      return [first, second].some((one) => compareStatuses(joined, judge(one)) < 0);
    });

    expect(better).toEqual([]);
  });

  it('are never judged better than the first, where others are merely listed', () => {
    const better = pairs.filter(
      ([first, second]) =>
        compareStatuses(judge(joinListed(first, [second, 'MIT'])), judge(first)) < 0,
    );

    expect(better).toEqual([]);
  });

  it('are one where they are the same', () => {
    expect(statements.filter((one) => joinStatements(one, one) !== one)).toEqual([]);
    expect(statements.filter((one) => joinStatements(undefined, one) !== one)).toEqual([]);
    expect(joinStatements(undefined, undefined)).toBeUndefined();
  });

  it.each([
    ['BSD', 'BSD-3-Clause', true],
    ['BSD-3-Clause', 'BSD', false],
    ['GPL-3.0-or-later', 'GPLv3', true],
    ['MIT', 'MIT AND AGPL-3.0-only', true],
    ['MIT OR AGPL-3.0-only', 'MIT', true],
    ['AGPL-3.0-only', 'MIT OR AGPL-3.0-only', false],
    ['MIT AND ISC', 'MIT OR ISC', false],
    ['MIT OR ISC', 'MIT AND ISC', true],
    ['(MIT OR ISC) AND Zlib', 'ISC AND Zlib AND X11', true],
    ['Acme EULA', 'acme eula', true],
    ['MIT WITH Commons-Clause', 'MIT', false],
  ])('cover one another: %s is said by %s: %s', (other, statement, expected) => {
    expect(isCovered(other, statement)).toBe(expected);
  });
});
