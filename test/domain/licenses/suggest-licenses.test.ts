import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findKnownLicense } from '../../../shared/domain/licenses/catalogue.ts';
import { suggestLicenses } from '../../../shared/domain/licenses/suggest-licenses.ts';

const gpl = ['GPL-1.0-only', 'GPL-2.0-only', 'GPL-3.0-only'];
const bsd = ['BSD-2-Clause', 'BSD-3-Clause', 'BSD-4-Clause'];
const apache = ['Apache-1.0', 'Apache-1.1', 'Apache-2.0'];
const mozilla = ['MPL-1.0', 'MPL-1.1', 'MPL-2.0'];
const elastic = ['LicenseRef-Elastic-1.0', 'Elastic-2.0'];

describe('what somebody may have meant', () => {
  it.each([
    // Slips of the pen.
    ['Apach-2.0', ['Apache-2.0']],
    ['Apache 2.O', ['Apache-2.0']],
    ['Apache-2,0', ['Apache-2.0']],
    ['MTI', ['MIT']],
    ['GPL3', ['GPL-3.0-only']],
    ['GLP v2', ['GPL-2.0-only']],
    ['AGLPv3', ['AGPL-3.0-only']],
    ['LPGL', ['LGPL-2.0-only', 'LGPL-2.1-only', 'LGPL-3.0-only']],
    ['BSD 3 Claus', ['BSD-3-Clause']],
    ['BSD3Clause', ['BSD-3-Clause']],
    ['BDS', bsd],
    ['Unlicens', ['Unlicense']],
    ['Beerwear', ['Beerware']],
    ['Mozila', mozilla],
    ['Mozila Public Licence', mozilla],
    ['Mozzila Software License 2', ['MPL-2.0']],
    // In words that distinguish no license.
    ['MIT Lisence', ['MIT']],
    ['Apache Licsence, Verison 2.0', ['Apache-2.0']],
    ['GNU Genral Public License v3', ['GPL-3.0-only']],
    ['Open Sofware License 3.0', ['OSL-3.0']],
    ['See file MIT.txt', ['MIT']],
    ['MIT OR', ['MIT']],
    // A version that there is none of.
    ['GPL-4.0', gpl],
    ['Apache 3.0', apache],
    // Of restricted licenses, restricted ones.
    ['Elastik', elastic],
    ['Elastic License 3', elastic],
    ['Commons Claus', ['LicenseRef-Commons-Clause']],
    ['Busines Source License 1.1', ['BUSL-1.1']],
    ['Server Side Pubic License', ['SSPL-1.0']],
    ['FSL-1.1-MTI', ['FSL-1.1-MIT']],
    ['Proprietery', ['LicenseRef-Proprietary']],
  ])('by %j: %j', (text, suggested) => {
    expect(suggestLicenses(text)).toEqual(suggested);
  });

  it.each([
    ...[
      'SEE LICENSE IN LICENSE.md',
      'Amazon Software License',
      'Fair Core License 1.0, MIT Future',
    ],
    ...['Not MIT', 'NonMIT', 'MIT-style', 'no MIT', 'Apache-derived'],
    ...['MIT non-commercial', 'MIT OR Commercial', '(MIT OR SSPL', 'Apache with commons-clause'],
    ...['Acme Apache', 'GPLv2 with special sauce', 'EPL not 1.0', 'CC-BY-N 4.0', 'CC BY-SA NC 4.0'],
    ...['Microsoft License', 'Microsoft Software License', 'Intel License', 'Adobe', 'IBM License'],
    ...['Oracle Public License', 'Acme EULA', 'Elastic Beanstalk Terms', 'MongoDB SDK License'],
    ...[
      'Public License',
      'Software',
      'license',
      'PL',
      'ISL',
      'FCL',
      'NONE',
      'UNKNOWN',
      'NOASSERTION',
    ],
    ...['', '1.0', '.', 'x'.repeat(2000)],
  ])('by %j: nobody knows', (text) => {
    expect(suggestLicenses(text)).toEqual([]);
  });
});

const isPermissive = (license: string): boolean =>
  ['permissive', 'public-domain'].includes(findKnownLicense(license)?.category ?? 'unknown');

const permissive = ['MIT', 'Apache 2.0', 'BSD 3 Clause', 'Artistic', 'Zlib', 'ISC', 'PostgreSQL'];
const denials = [
  ...[
    'not',
    'no',
    'non',
    'without',
    'except',
    'never',
    'commercial',
    'non-commercial',
    'NC',
    'future',
  ],
  ...[
    'proprietary',
    'Fair Core',
    'Elastic',
    'Commons Clause',
    'SSPL',
    'BUSL',
    'private',
    'internal',
  ],
];
const idle = [
  'license',
  'software',
  'the',
  'public',
  'version',
  'see',
  'in',
  ',',
  '(',
  'or',
  'and',
];

it('never suggests a permissive part of a text that denies or restricts it', () => {
  const words = fc.array(fc.constantFrom(...idle), { maxLength: 2 });
  const parts = fc.tuple(fc.constantFrom(...permissive), fc.constantFrom(...denials));
  fc.assert(
    fc.property(
      words,
      parts,
      words,
      fc.boolean(),
      words,
      (before, pair, between, turned, after) => {
        const [first, second] = turned ? pair.toReversed() : pair;
        const text = [...before, first, ...between, second, ...after].join(' ');
        expect(suggestLicenses(text).filter(isPermissive), text).toEqual([]);
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});
