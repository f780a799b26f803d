import { expect, it } from 'vitest';
import { listStatedLicenses } from '../../../shared/domain/licenses/stated-licenses.ts';

const stored = JSON.stringify({
  operator: 'OR',
  operands: [
    { license: 'Apache 2', meaning: { license: 'Apache-2.0' } },
    { license: 'GPL-2.0+', exception: 'Classpath-exception-2.0' },
  ],
});

it.each([
  ['none', {}, []],
  ['a known license', { license: 'MIT' }, ['mit']],
  [
    'the license of both texts once',
    { license: 'MIT', facts: { license_statement: 'MIT' } },
    ['mit'],
  ],
  [
    'licenses of a normalized expression',
    { license: 'Apache 2 OR GPL-2.0+ WITH Classpath-exception-2.0', normalization: stored },
    ['apache-2.0', 'gpl-2.0 with classpath-exception-2.0'],
  ],
  ['a text that is no expression', { license: '???', normalization: null }, []],
  ['a pointer to a file', { license: 'SEE LICENSE IN LICENSE.md' }, []],
  ['a text that is too long for a key', { license: 'x'.repeat(300) }, []],
  [
    'the first of many',
    {
      license: 'many',
      normalization: JSON.stringify({
        operator: 'OR',
        operands: Array.from({ length: 7 }, (_, at) => ({ license: `L-${at}` })),
      }),
    },
    ['l-0', 'l-1', 'l-2', 'l-3', 'l-4'],
  ],
])('lists %s', (_, version, keys) => {
  expect(listStatedLicenses(version)).toEqual(keys);
});
