import { expect, it } from 'vitest';
import { findKnownLicense } from '../../../shared/domain/licenses/catalogue.ts';
import { rule } from '../../../shared/domain/licenses/compatibility.ts';

/** What works may be released under, in the columns' order; the blanks in the grid part these lines. */
const columns = [
  'MIT Apache-2.0 ISC BSD-2-Clause BSD-3-Clause 0BSD Unlicense CC0-1.0',
  'BSL-1.0 Zlib PSF-2.0 PostgreSQL WTFPL MIT-0 Artistic-2.0 BSD-4-Clause',
  'MPL-2.0 MPL-1.1 EPL-1.0 EPL-2.0 CDDL-1.0',
  'LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only',
  'GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later AGPL-3.0-only',
  'EUPL-1.2',
].flatMap((line) => line.split(' '));

/** Rows: the license of the code. May it be in works under the column's license? + it may, - it may not, ? not known. */
const grid = `
  MIT                ++++++++ ++++++++ +++++ +++ +++++ +
  Apache-2.0         ++++++++ ++++++++ +?+++ --+ --+++ ?
  ISC                ++++++++ ++++++++ +++++ +++ +++++ +
  BSD-2-Clause       ++++++++ ++++++++ +++++ +++ +++++ +
  BSD-3-Clause       ++++++++ ++++++++ +++++ +++ +++++ +
  0BSD               ++++++++ ++++++++ +++++ +++ +++++ +
  Unlicense          ++++++++ ++++++++ +++++ +++ +++++ +
  CC0-1.0            ++++++++ ++++++++ +++++ +++ +++++ +
  BSL-1.0            ++++++++ ++++++++ +++++ +++ +++++ +
  Zlib               ++++++++ ++++++++ +++++ +++ +++++ +
  PSF-2.0            ++++++++ ++++++++ +++++ +++ +++++ ?
  PostgreSQL         ++++++++ ++++++++ +++++ +++ +++++ ?
  WTFPL              ++++++++ ++++++++ +++++ +++ +++++ +
  MIT-0              ++++++++ ++++++++ +++++ +++ +++++ +
  Artistic-2.0       ++++++++ ++++++++ +++++ +++ +++++ ?
  BSD-4-Clause       ++++++++ ++++++++ +++++ --- ----- ?
  MPL-2.0            ++++++++ ++++++++ +++++ +++ +++++ +
  MPL-1.1            ++++++++ ++++++++ +++++ --- ----- ?
  EPL-1.0            ++++++++ ++++++++ +++++ --- ----- ?
  EPL-2.0            ++++++++ ++++++++ +++++ --- ----- ?
  CDDL-1.0           ++++++++ ++++++++ +++++ --- ----- ?
  LGPL-2.1-only      ++++++++ ++++++++ +++++ +++ +++++ ?
  LGPL-2.1-or-later  ++++++++ ++++++++ +++++ +++ +++++ ?
  LGPL-3.0-only      ++++++++ ++++++++ +++++ +++ --+++ ?
  GPL-2.0-only       -------- -------- ----- --- +---- -
  GPL-2.0-or-later   -------- -------- ----- --- +++++ -
  GPL-3.0-only       -------- -------- ----- --- --+-+ -
  GPL-3.0-or-later   -------- -------- ----- --- --+++ -
  AGPL-3.0-only      -------- -------- ----- --- ----+ -
  EUPL-1.2           -------- -------- +?+?? +?+ +?+?+ +
`;

const verdicts = { '+': 'compatible', '-': 'incompatible', '?': 'unknown' } as const;

const pairs = grid
  .trim()
  .split('\n')
  .flatMap((row) => {
    const [code = '', ...cells] = row.trim().split(/ +/);
    return [...cells.join('')].map((cell, at) => [code, columns[at] ?? '', cell] as const);
  });

const factsOf = (name: string) => {
  const facts = findKnownLicense(name);
  if (facts === undefined) throw new Error(`${name} is no SPDX license`);
  return facts;
};

it('has a cell for each pair of the 30 most used licenses', () => {
  expect(pairs).toHaveLength(30 * 30);
  expect([...new Set(pairs.map(([code]) => code))]).toEqual(columns);
});

it.each(pairs)('rules on %s in a work under %s: %s', (code, whole, cell) => {
  const { verdict, rule: decidedBy } = rule(factsOf(code), factsOf(whole));

  expect(verdict, decidedBy).toBe(verdicts[cell as keyof typeof verdicts]);
});
