import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { haveSameMeaning } from '../../../shared/domain/licenses/compare-normalizations.ts';
import { parseNormalization } from '../../../shared/domain/licenses/normalization.ts';
import { isCovered } from '../../../shared/domain/licenses/normalize/join-statements.ts';
import { readLicense } from '../../../shared/domain/licenses/normalize/normalize-expression.ts';
import { normalizeLicense } from '../../../shared/domain/licenses/normalize/normalize-license.ts';
import { mavenNames, pypiClassifiers } from './normalize/metadata-names.ts';

const normalize = (text: string) =>
  parseNormalization(text, normalizeLicense(text)) ?? { license: text };

const areSame = (one: string, other: string): boolean =>
  haveSameMeaning(normalize(one), normalize(other));

const names = fc.constantFrom(
  ...['MIT', 'MIT License', 'ISC', 'BSD', 'BSD-3-Clause', 'GPL-2.0+', 'GPL-2.0-only', 'GPLv2'],
  ...['Apache-2.0+', 'Apache 2', 'GPL-2.0 WITH Classpath-exception-2.0', 'Acme EULA', 'acme eula'],
  ...['MIT WITH Acme-exception', 'AGPL-ish'],
  ...[...mavenNames, ...pypiClassifiers].map(([name]) => name),
);

const texts = fc
  .tuple(names, fc.array(fc.tuple(fc.constantFrom('AND', 'OR'), names), { maxLength: 2 }))
  .map(([first, others]) =>
    others.reduce((text, [operator, name]) => `(${text}) ${operator} (${name})`, first),
  );

describe('two normalized licenses', () => {
  it.each([
    ['MIT', 'MIT License', true],
    ['Apache-2.0 OR MIT', 'MIT OR Apache-2.0', true],
    ['GPL-2.0-only', 'GPL-2.0-or-later', true],
    ['Acme EULA', 'acme eula', true],
    ['MIT', 'Apache-2.0', false],
    ['MIT', 'MIT AND Apache-2.0', false],
    ['MIT OR Apache-2.0', 'MIT', false],
    ['BSD', 'BSD-3-Clause', false],
  ])('%s and %s have the same meaning: %s', (one, other, expected) => {
    expect(areSame(one, other)).toBe(expected);
  });

  it('have the same meaning exactly if their expressions cover each other', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [first, second] = [one, other].map((text) => readLicense(text) ?? text) as [
          string,
          string,
        ];

        expect(areSame(one, other)).toBe(isCovered(first, second) && isCovered(second, first));
      }),
      { numRuns: 500 },
    );
  });
});
