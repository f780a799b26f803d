import { describe, expect, it } from 'vitest';
import { findKnownLicense, spdxLicenses } from '../../../shared/domain/licenses/catalogue.ts';
import {
  compatibilityRules,
  listCompatibility,
  rule,
} from '../../../shared/domain/licenses/compatibility.ts';
import * as listed from '../../../shared/domain/licenses/gpl-compatibility.ts';
import type { RuledLicense } from '../../../shared/domain/licenses/rules/compatibility-rule.ts';

/** `name` or `name WITH exception`. */
const license = (text: string): RuledLicense => {
  const [name = text, exception] = text.split(' WITH ');
  const category = findKnownLicense(name)?.category ?? 'unknown';
  return exception === undefined ? { name, category } : { name, category, exception };
};

/** One example at least for each rule. */
const examples = [
  ['CC-BY-ND-4.0', 'CC-BY-ND-4.0', 'unknown', 'no-derivatives'],
  ['SSPL-1.0', 'SSPL-1.0', 'compatible', 'same-license'],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'GPL-2.0-only', 'compatible', 'same-license'],
  ['Acme EULA', 'Acme EULA', 'unknown', 'unknown-whole'],
  ['CC0-1.0', 'Acme EULA', 'compatible', 'public-domain'],
  ['MIT', 'Acme EULA', 'unknown', 'unknown-whole'],
  ['Acme EULA', 'MIT', 'unknown', 'unknown-code'],
  ['constructor', 'MIT', 'unknown', 'unknown-code'],
  ['constructor', 'GPL-3.0-only', 'unknown', 'unknown-code'],
  ['MPL-2.0', 'CDDL-1.0+', 'unknown', 'later-versions-of-the-whole'],
  ['MIT', 'CDDL-1.0+', 'compatible', 'permissive'],
  ['CDDL-1.0+', 'CDDL-1.0+', 'compatible', 'same-license'],
  ['CDDL-1.0+', 'CDDL-1.0', 'compatible', 'same-license'],
  ['Apache-2.0 WITH LLVM-exception', 'GPL-2.0-only', 'compatible', 'llvm-exception-into-gpl-2'],
  ['Apache-2.0 WITH Swift-exception', 'GPL-2.0-only', 'incompatible', 'apache-2.0-into-gpl-2'],
  [
    'GPL-2.0-only',
    'GPL-2.0-only WITH Classpath-exception-2.0',
    'unknown',
    'exception-not-passed-on',
  ],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'MIT', 'compatible', 'linking-exception'],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'BUSL-1.1', 'compatible', 'linking-exception'],
  ['GPL-3.0-or-later WITH Bison-exception-2.2', 'MIT', 'unknown', 'exception-may-allow'],
  ['GPL-2.0-only WITH GStreamer-exception-2008', 'BUSL-1.1', 'unknown', 'exception-may-allow'],
  ['GPL-2.0-only WITH Universal-FOSS-exception-1.0', 'MIT', 'unknown', 'exception-may-allow'],
  ['GPL-2.0-only WITH freertos-exception-2.0', 'Apache-2.0', 'unknown', 'exception-may-allow'],
  ['GPL-2.0-only WITH Acme exception', 'MIT', 'unknown', 'unknown-addition'],
  ['EPL-2.0 WITH Acme exception', 'GPL-2.0-only', 'unknown', 'unknown-addition'],
  ['OSL-3.0 WITH Acme exception', 'MIT', 'unknown', 'unknown-addition'],
  ['GPL-2.0-only WITH Bison-exception-2.2', 'GPL-3.0-only', 'incompatible', 'gnu-incompatible'],
  ['GPL-2.0-only', 'MIT', 'incompatible', 'gnu-into-other-terms'],
  [
    'GPL-2.0-only WITH Classpath-exception-2.0',
    'GPL-3.0-only',
    'unknown',
    'linking-exception-into-gnu',
  ],
  ['LGPL-2.1-only', 'LGPL-3.0-only', 'compatible', 'gnu-lgpl-library'],
  ['GPL-3.0-only', 'AGPL-3.0-only', 'compatible', 'gpl-3-into-agpl'],
  ['GPL-2.0-or-later', 'AGPL-3.0-or-later', 'compatible', 'gpl-3-into-agpl'],
  ['LGPL-2.1-only', 'AGPL-3.0-only', 'compatible', 'gnu-compatible'],
  ['AGPL-3.0-or-later', 'AGPL-3.0-only', 'compatible', 'gnu-compatible'],
  ['AGPL-3.0-only', 'AGPL-3.0-or-later', 'incompatible', 'gnu-incompatible'],
  ['AGPL-3.0-only', 'GPL-3.0-only', 'incompatible', 'agpl-into-gpl-3'],
  ['AGPL-3.0-only', 'GPL-2.0-only', 'incompatible', 'gnu-gpl-3-needs-3'],
  ['GPL-1.0-or-later', 'GPL-2.0-only', 'compatible', 'gnu-compatible'],
  ['GPL-3.0-only', 'AGPL-3.0-or-later', 'incompatible', 'gpl-3-into-later-agpl'],
  ['GPL-2.0-only', 'AGPL-3.0-only', 'incompatible', 'gnu-incompatible'],
  ['LGPL-3.0-or-later', 'GPL-2.0-only', 'incompatible', 'gnu-gpl-3-needs-3'],
  ['LGPL-3.0-or-later', 'GPL-2.0-or-later', 'incompatible', 'gnu-gpl-3-into-choice-of-2'],
  ['GPL-2.0-only', 'GPL-2.0-or-later', 'incompatible', 'gnu-incompatible'],
  ['AGPL-1.0-or-later', 'AGPL-3.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['LGPL-2.1-only', 'GPL-1.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['LGPL-2.1-only', 'Elastic-2.0', 'unknown', 'lgpl-into-closed'],
  ['LGPL-2.1-only', 'MIT', 'compatible', 'lgpl-library'],
  ['MIT-0', 'OSL-2.1', 'compatible', 'no-conditions'],
  ['Apache-2.0+', 'GPL-3.0-only', 'compatible', 'gpl-3-compatible-by-fsf'],
  ['Apache-2.0', 'LGPL-2.1-or-later', 'incompatible', 'apache-2.0-into-gpl-2'],
  ['FTL', 'GPL-2.0-only', 'incompatible', 'gpl-3-alone-by-fsf'],
  ['MIT', 'GPL-2.0-only', 'compatible', 'gpl-compatible-by-fsf'],
  ['CC-BY-4.0', 'GPL-3.0-only', 'compatible', 'gpl-compatible-by-fsf'],
  ['Vim', 'GPL-2.0-only', 'compatible', 'gpl-compatible-by-clause'],
  ['Artistic-2.0+', 'AGPL-3.0-only', 'compatible', 'gpl-compatible-by-clause'],
  ['Ruby', 'LGPL-2.1-only', 'compatible', 'gpl-compatible-by-clause'],
  ['PostgreSQL', 'GPL-2.0-only', 'compatible', 'gpl-compatible-by-osadl'],
  ['OpenSSL', 'GPL-2.0-only', 'incompatible', 'advertising-clause'],
  ['BSD-4-Clause-UC', 'GPL-2.0-only', 'compatible', 'advertising-clause-deleted'],
  ['EPL-2.0', 'GPL-2.0-or-later', 'incompatible', 'epl-2-secondary-license'],
  ['EPL-2.0', 'LGPL-2.1-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['EPL-1.0', 'GPL-2.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['PHP-3.01', 'GPL-3.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['Python-2.0', 'GPL-3.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['MPL-2.0-no-copyleft-exception', 'GPL-3.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['MIT', 'OSL-3.0', 'compatible', 'permissive-into-copyleft'],
  ['MIT', 'SSPL-1.0', 'compatible', 'permissive'],
  ['MIT', 'CC-BY-SA-4.0', 'unknown', 'no-rule'],
  ['zlib-acknowledgement', 'LGPL-2.1-only', 'unknown', 'no-rule'],
  ['MIT', 'GPL-1.0-only', 'compatible', 'gpl-1-compatible-by-osadl'],
  ['Zlib', 'GPL-1.0-or-later', 'compatible', 'gpl-1-compatible-by-osadl'],
  ['Apache-2.0', 'GPL-1.0-or-later', 'incompatible', 'gpl-1-incompatible-by-osadl'],
  ['AFL-3.0', 'GPL-1.0-only', 'unknown', 'no-rule'],
  ['BlueOak-1.0.0', 'GPL-2.0-only', 'compatible', 'notices-alone'],
  ['BlueOak-1.0.0', 'GPL-1.0-only', 'compatible', 'notices-alone'],
  ['Unicode-3.0', 'GPL-3.0-or-later', 'compatible', 'notices-alone'],
  ['TCL', 'LGPL-2.1-only', 'compatible', 'notices-alone'],
  ['Minpack', 'GPL-2.0-only', 'incompatible', 'gpl-incompatible-by-osadl'],
  ['Bitstream-Vera', 'MIT', 'compatible', 'permissive'],
  ['MS-PL', 'MIT', 'incompatible', 'ms-pl-source-stays'],
  ['MS-PL', 'MPL-2.0', 'incompatible', 'ms-pl-source-stays'],
  ['MS-PL', 'BUSL-1.1', 'unknown', 'ms-pl-compiled'],
  ['MS-PL', 'GPL-3.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['Apache-2.0', 'MPL-1.1', 'unknown', 'apache-2.0-into-mpl-1.1'],
  ['JSON', 'MIT', 'incompatible', 'closed-into-open'],
  ['JSON', 'GPL-3.0-only', 'incompatible', 'gpl-incompatible-by-fsf'],
  ['Parity-7.0.0', 'MIT', 'incompatible', 'copyleft-into-other-terms'],
  ['MPL-2.0', 'AGPL-3.0-or-later', 'compatible', 'mpl-secondary-license'],
  ['MPL-2.0', 'LGPL-2.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['MPL-2.0', 'EUPL-1.2', 'compatible', 'mpl-into-eupl'],
  ['MPL-2.0', 'BUSL-1.1', 'compatible', 'larger-work'],
  ['CDDL-1.1', 'Elastic-2.0', 'compatible', 'larger-work'],
  ['EPL-2.0', 'BUSL-1.1', 'compatible', 'eclipse-modules'],
  ['OFL-1.1', 'MIT', 'unknown', 'copyleft-into-copyleft'],
  ['EUPL-1.2', 'GPL-3.0-only', 'compatible', 'eupl-compatible-licence'],
  ['EUPL-1.2', 'EUPL-1.1', 'compatible', 'eupl-compatible-licence'],
  ['EUPL-1.1', 'GPL-3.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['EUPL-1.1', 'EUPL-1.2', 'compatible', 'eupl-later-version'],
  ['CECILL-2.1', 'GPL-1.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['CECILL-2.1', 'EUPL-1.2', 'compatible', 'cecill-compatible-license'],
  ['CECILL-2.1', 'AGPL-3.0-only', 'compatible', 'cecill-compatible-license'],
  ['CECILL-2.0', 'AGPL-3.0-only', 'unknown', 'copyleft-into-copyleft'],
  ['CC-BY-SA-3.0', 'CC-BY-SA-4.0', 'compatible', 'cc-by-sa-later-version'],
  ['CC-BY-SA-4.0', 'CC-BY-SA-3.0', 'unknown', 'copyleft-into-copyleft'],
  ['CC-BY-SA-4.0', 'GPL-3.0-only', 'compatible', 'cc-by-sa-into-gpl-3'],
  ['CC-BY-SA-4.0', 'GPL-3.0-or-later', 'incompatible', 'cc-by-sa-into-other-gpl'],
  ['Sleepycat', 'GPL-3.0-only', 'compatible', 'sleepycat-into-gpl'],
  ['OSL-3.0', 'MIT', 'incompatible', 'copyleft-into-other-terms'],
  ['OSL-3.0', 'BUSL-1.1', 'incompatible', 'copyleft-into-other-terms'],
  ['SSPL-1.0', 'AGPL-3.0-only', 'incompatible', 'closed-into-open'],
  ['CC-BY-NC-4.0', 'GPL-3.0-only', 'incompatible', 'closed-into-open'],
  ['SSPL-1.0', 'BUSL-1.1', 'unknown', 'closed-into-closed'],
  ['GPL-3.0-only', 'SSPL-1.0', 'incompatible', 'gnu-into-other-terms'],
] as const;

describe('the ruling on code in a work', () => {
  it.each(examples)('%s in a work under %s: %s by %s', (code, whole, verdict, id) => {
    const ruling = rule(license(code), license(whole));

    expect(ruling).toMatchObject({ verdict, rule: id });
    expect(ruling.explanation).toMatch(/^\S.*\.$/);
    expect(ruling.source ?? 'https://').toMatch(/^https:\/\//);
  });

  it('has an example here for each rule', () => {
    const shown = new Set<string>(examples.map(([, , , id]) => id));
    const missing = compatibilityRules.map(({ id }) => id).filter((id) => !shown.has(id));

    expect(missing).toEqual([]);
    expect(new Set(compatibilityRules.map(({ id }) => id)).size).toBe(compatibilityRules.length);
  });

  it.each([
    ['MPL-2.0', 'MIT', 'https://www.mozilla.org/en-US/MPL/2.0/#distribution-of-a-larger-work'],
    [
      'GPL-2.0-only WITH Classpath-exception-2.0',
      'MIT',
      'https://spdx.org/licenses/Classpath-exception-2.0.html',
    ],
    [
      'GPL-2.0-only WITH freertos-exception-2.0',
      'MIT',
      'https://spdx.org/licenses/freertos-exception-2.0.html',
    ],
    ['GPL-2.0-only WITH Acme exception', 'MIT', null],
    ['LGPL-2.1-only', 'MIT', 'https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html'],
    ['LGPL-3.0-only', 'MIT', 'https://www.gnu.org/licenses/lgpl-3.0.html#section4'],
    ['EUPL-1.1', 'GPL-2.0-only', 'https://spdx.org/licenses/EUPL-1.1.html'],
    ['GPL-3.0-only', 'AGPL-3.0-only', 'https://www.gnu.org/licenses/gpl-3.0.html#section13'],
    ['AGPL-3.0-only', 'GPL-3.0-only', 'https://www.gnu.org/licenses/agpl-3.0.html#section13'],
    ['LGPL-2.1-only', 'AGPL-3.0-only', 'https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html'],
  ])('names the text of %s as the source of its ruling for %s', (code, whole, source) => {
    expect(rule(license(code), license(whole)).source).toBe(source);
  });

  it.each([
    ['Apache-2.0', 'GPL-2.0-or-later', 'under GPL-3.0-or-later'],
    ['GPL-3.0-or-later', 'GPL-2.0-or-later', 'under GPL-3.0-or-later'],
    ['LGPL-3.0-only', 'GPL-2.0-or-later', 'under GPL-3.0-or-later'],
    ['GPL-3.0-only', 'AGPL-3.0-or-later', 'under AGPL-3.0-only'],
  ])(
    'advises on %s in a work under %s a license that may contain it: %s',
    (code, whole, advice) => {
      const { explanation } = rule(license(code), license(whole));
      const advised = license(advice.replace('under ', ''));

      expect(explanation).toContain(advice);
      expect(rule(license(code), advised).verdict).toBe('compatible');
    },
  );
});

it.each([
  ['MIT', 'CC0-1.0', true],
  ['Apache-2.0', '0BSD', true],
  ['LGPL-2.1-only', 'CC0-1.0', true],
  ['0BSD', 'CC0-1.0', false],
  ['CC0-1.0', 'MIT-0', false],
  ['MIT', 'ISC', false],
  ['GPL-3.0-only', 'CC0-1.0', false],
])('says of %s in a work under %s that its conditions stay: %s', (code, whole, said) => {
  const { explanation } = rule(license(code), license(whole));

  expect(explanation.includes('not free of conditions')).toBe(said);
});

describe('the published lists', () => {
  it('name SPDX licenses only, and each in one list', () => {
    const sets = Object.values(listed).filter((list) => list instanceof Set);
    const gnuLists = [
      listed.compatibleByFsf,
      listed.compatibleWithGpl3ByFsf,
      listed.incompatibleByFsf,
      listed.advertisingClause,
      listed.compatibleByOsadl,
      new Set(listed.gplClauses.keys()),
    ].flatMap((list) => [...list]);

    const unknown = [...sets.flatMap((list) => [...list]), ...gnuLists].filter(
      (id) => !findKnownLicense(id),
    );

    expect(unknown).toEqual([]);
    expect(gnuLists.filter((id, at) => gnuLists.indexOf(id) !== at)).toEqual([]);
  });
});

describe('the lists of a license', () => {
  it('hold what is known, each license in one at most and in the order of the catalogue', () => {
    const names = spdxLicenses.map(({ name }) => name);

    const { compatible_with, incompatible_with } = listCompatibility(license('GPL-3.0-only'));

    expect(compatible_with).toEqual(['AGPL-3.0-only', 'GPL-3.0-only']);
    expect(incompatible_with).toContain('MIT');
    expect(incompatible_with).toEqual(names.filter((name) => incompatible_with.includes(name)));
  });

  it('are empty for a license of which nothing is known', () => {
    const lists = listCompatibility({ name: 'Acme EULA', category: 'unknown' });

    expect(lists).toEqual({ compatible_with: [], incompatible_with: [] });
  });
});
