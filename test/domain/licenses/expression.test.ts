import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combine,
  formatLicense,
  isCombination,
  type LicenseExpression,
  listTerms,
} from '../../../shared/domain/licenses/expression.ts';
import { spellLicense } from '../../../shared/domain/licenses/license-id.ts';
import { maxLicenseTerms, parseLicense } from '../../../shared/domain/licenses/parse-license.ts';

const canonical = (text: string): string | undefined => {
  const tree = parseLicense(text);
  return tree && formatLicense(tree);
};

const joined = (count: number): string => Array.from({ length: count }, () => 'MIT').join(' OR ');

describe('a license expression', () => {
  it.each([
    ['mit', 'MIT'],
    ['  mit or apache-2.0 ', 'MIT OR Apache-2.0'],
    ['(MIT AND (ISC AND 0BSD))', 'MIT AND ISC AND 0BSD'],
    ['(MIT OR ISC) AND Zlib', '(MIT OR ISC) AND Zlib'],
    ['MIT OR (ISC AND Zlib)', 'MIT OR ISC AND Zlib'],
    ['gpl-2.0', 'GPL-2.0-only'],
    ['GPL-2.0+ OR MIT', 'GPL-2.0-or-later OR MIT'],
    ['Apache-2.0+', 'Apache-2.0+'],
    ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
    ['gpl-3.0-with-gcc-exception AND MIT', 'GPL-3.0-only WITH GCC-exception-3.1 AND MIT'],
    ['apache-2.0 with llvm-exception', 'Apache-2.0 WITH LLVM-exception'],
    ['wxWindows', 'GPL-2.0-or-later WITH WxWindows-exception-3.1'],
    ['licenseref-Acme OR MIT', 'LicenseRef-Acme OR MIT'],
    ['Acme EULA', 'Acme EULA'],
    ['Acme EULA OR MIT', 'Acme EULA OR MIT'],
    ['agpl-3.0 and Foo', 'AGPL-3.0-only AND Foo'],
    ['Acme EULA and (mit or licenseref-x)', 'Acme EULA AND (MIT OR LicenseRef-x)'],
    ['MIT OR ISC and Acme', 'MIT OR ISC AND Acme'],
    ['Acme (2024) License or MIT', 'Acme (2024) License OR MIT'],
    ['MIT (see LICENSE)', 'MIT (see LICENSE)'],
    ['Terms and Conditions of Acme', 'Terms and Conditions of Acme'],
    ['Acme (2024) License', 'Acme (2024) License'],
    ['Acme or', 'Acme or'],
    ['MIT with Nonsense-exception', 'MIT WITH Nonsense-exception'],
    ['gpl-2.0 with an exception OR Acme', 'GPL-2.0-only WITH an exception OR Acme'],
    [
      'gpl-2.0 with classpath-exception-2.0 OR Acme',
      'GPL-2.0-only WITH Classpath-exception-2.0 OR Acme',
    ],
  ])('is read from %j as %j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('reads own names among identifiers, with AND before OR', () => {
    expect(parseLicense('Acme EULA OR MIT AND Foo')).toEqual({
      operator: 'OR',
      operands: [
        { license: 'Acme EULA' },
        { operator: 'AND', operands: [{ license: 'MIT' }, { license: 'Foo' }] },
      ],
    });
  });

  it('keeps an exception that SPDX does not know apart from the license', () => {
    expect(parseLicense('GPL-2.0-only WITH Acme exception')).toEqual({
      license: 'GPL-2.0-only',
      exception: 'Acme exception',
    });
  });

  it('takes a text without identifiers for a single own name', () => {
    expect(parseLicense('Terms and Conditions')).toEqual({ license: 'Terms and Conditions' });
  });

  it.each([
    'MIT OR',
    'and MIT',
    'MIT AND OR Foo',
    '(MIT',
    'MIT)',
    'MIT AND ()',
    'Foo (AGPL-3.0-only AND Bar)',
    'MIT WITH',
    'MIT WITH Foo WITH Bar',
    'Foo WITH AGPL-3.0-only',
    'Or',
    'and or',
    'LicenseRef-',
    'MIT AND licenseref-',
    `${'('.repeat(2000)}MIT`,
  ])('is refused if it is malformed: %j', (text) => {
    expect(parseLicense(text)).toBeUndefined();
  });

  it('is refused if it is blank, too long or has too many terms', () => {
    expect(parseLicense('  ')).toBeUndefined();
    expect(parseLicense('x'.repeat(2049))).toBeUndefined();
    expect(parseLicense(joined(maxLicenseTerms + 1))).toBeUndefined();
    expect(parseLicense(joined(maxLicenseTerms))).toBeDefined();
  });

  it('survives parentheses without end', () => {
    expect(parseLicense('('.repeat(2000))).toBeUndefined();
  });
});

const term = fc.constantFrom(
  { license: 'MIT' },
  { license: 'Apache-2.0+' },
  { license: 'LicenseRef-Acme' },
  { license: 'Acme EULA (2024)' },
  { license: 'GPL-2.0-only', exception: 'Classpath-exception-2.0' },
);
const { tree } = fc.letrec<{ tree: LicenseExpression }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    term,
    fc
      .tuple(
        fc.constantFrom('AND' as const, 'OR' as const),
        fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      )
      .map(([operator, operands]) => combine(operator, operands)),
  ),
}));

it('reads every expression back as it was written', () => {
  fc.assert(
    fc.property(tree, (written) => {
      const text = formatLicense(written);
      fc.pre(text.split(/ AND | OR /).length <= maxLicenseTerms && text.length <= 2048);
      fc.pre(
        !isCombination(written) || listTerms(written).some(({ license }) => !/EULA/.test(license)),
      );

      expect(parseLicense(text)).toEqual(written);
    }),
    { numRuns: 1000, seed: 1 },
  );
});

const words = fc.array(
  fc.constantFrom(
    'mit',
    'AGPL-3.0',
    'GPL-2.0+',
    'Acme',
    'EULA',
    'and',
    'OR',
    'with',
    '(',
    ')',
    '(c)',
  ),
  { minLength: 1, maxLength: 8 },
);

it('reads what it wrote, and what is stored of a text, as the same expression', () => {
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join(' ');
      const read = parseLicense(text);

      expect(parseLicense(spellLicense(text))).toEqual(read);
      expect(read && parseLicense(formatLicense(read))).toEqual(read);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it('never hides an identifier beside an own name', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('AND', 'or'),
      fc.constantFrom('Foo', 'Acme EULA (2)'),
      (operator, own) => {
        const written = [`agpl-3.0 ${operator} ${own}`, `${own} ${operator} (AGPL-3.0-only)`];

        for (const text of written) {
          const names = listTerms(parseLicense(text) ?? { license: '' }).map(
            ({ license }) => license,
          );
          expect(names.toSorted()).toEqual(['AGPL-3.0-only', own].toSorted());
        }
      },
    ),
    { seed: 1 },
  );
});
