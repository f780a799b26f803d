import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combine,
  formatLicense,
  type LicenseExpression,
  maxLicenseTerms,
  parseLicense,
} from '../../../shared/domain/licenses/expression.ts';

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
    ['MIT OR', 'MIT OR'],
    ['MIT WITH Nonsense-exception', 'MIT WITH Nonsense-exception'],
  ])('is read from %j as %j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('takes a text that is no valid expression for a single own name', () => {
    expect(parseLicense('Acme EULA OR MIT')).toEqual({ license: 'Acme EULA OR MIT' });
  });

  it('is refused if it is blank, too long or has too many terms', () => {
    expect(parseLicense('  ')).toBeUndefined();
    expect(parseLicense('x'.repeat(2049))).toBeUndefined();
    expect(parseLicense(joined(maxLicenseTerms + 1))).toBeUndefined();
    expect(parseLicense(joined(maxLicenseTerms))).toBeDefined();
  });

  it('survives parentheses without end', () => {
    expect(canonical('('.repeat(2000))).toBe('('.repeat(2000));
  });
});

const term = fc.constantFrom(
  { license: 'MIT' },
  { license: 'Apache-2.0+' },
  { license: 'LicenseRef-Acme' },
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

      expect(parseLicense(text)).toEqual(written);
    }),
    { numRuns: 1000, seed: 1 },
  );
});
