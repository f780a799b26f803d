import currentIds from 'spdx-license-ids/index.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { findKnownLicense, spdxLicenses } from '../../../shared/domain/licenses/catalogue.ts';
import { licenseCategories } from '../../../shared/domain/licenses/category.ts';
import { reviewedFamilies } from '../../../shared/domain/licenses/reviewed-licenses.ts';

const reviewedIds = reviewedFamilies.flatMap(({ ids }) => ids.split(' '));

describe('the SPDX licenses', () => {
  it('are every current one, each once and in order', () => {
    expect(spdxLicenses.map(({ name }) => name)).toEqual(currentIds);
    expect(new Set(currentIds).size).toBe(currentIds.length);
  });

  it('have a title, the address of their text and a category of the list', () => {
    for (const { name, title, url, category } of spdxLicenses) {
      expect(title, name).not.toBe('');
      expect(url).toBe(`https://spdx.org/licenses/${name}.html`);
      expect(licenseCategories).toContain(category);
    }
  });

  it('contain each reviewed one, which is reviewed once', () => {
    expect(reviewedIds.filter((id) => !currentIds.includes(id))).toEqual([]);
    expect(reviewedIds.filter((id, at) => reviewedIds.indexOf(id) !== at)).toEqual([]);
  });

  it.each([
    // name, category, requires attribution, allows commercial use
    ['MIT', 'permissive', true, true],
    ['Apache-2.0', 'permissive', true, true],
    ['CC0-1.0', 'public-domain', false, true],
    ['Unlicense', 'public-domain', false, true],
    ['0BSD', 'permissive', false, true],
    ['MIT-0', 'permissive', false, true],
    ['WTFPL', 'permissive', false, true],
    ['PostgreSQL', 'permissive', true, true],
    ['BSD-4-Clause', 'permissive', true, true],
    ['CC-BY-4.0', 'permissive', true, true],
    ['MPL-2.0', 'weak-copyleft', true, true],
    ['EPL-2.0', 'weak-copyleft', true, true],
    ['CDDL-1.0', 'weak-copyleft', true, true],
    ['LGPL-3.0-only', 'weak-copyleft', true, true],
    ['GPL-2.0-only', 'copyleft', true, true],
    ['GFDL-1.3-no-invariants-or-later', 'copyleft', true, true],
    ['CC-BY-SA-4.0', 'copyleft', true, true],
    ['ODbL-1.0', 'copyleft', true, true],
    ['AGPL-3.0-or-later', 'network-copyleft', true, true],
    ['EUPL-1.2', 'network-copyleft', true, true],
    ['OSL-3.0', 'network-copyleft', true, true],
    ['SSPL-1.0', 'source-available', true, true],
    ['BUSL-1.1', 'source-available', true, null],
    ['Elastic-2.0', 'source-available', true, null],
    ['PolyForm-Noncommercial-1.0.0', 'source-available', true, false],
    ['CC-BY-NC-4.0', 'source-available', true, false],
    ['CC-BY-ND-4.0', 'source-available', true, true],
    ['NIST-PD', 'public-domain', false, true],
    ['Bitstream-Vera', 'permissive', true, true],
    ['Minpack', 'permissive', true, true],
    ['LPPL-1.3a', 'permissive', true, true],
    ['CDLA-Permissive-1.0', 'permissive', true, true],
    ['QPL-1.0', 'weak-copyleft', true, true],
    ['Ubuntu-font-1.0', 'weak-copyleft', true, true],
    ['APSL-1.0', 'weak-copyleft', true, true],
    ['NPL-1.0', 'weak-copyleft', true, true],
    ['SISSL', 'weak-copyleft', true, true],
    ['FDK-AAC', 'weak-copyleft', true, true],
    ['Parity-6.0.0', 'network-copyleft', true, true],
    ['Parity-7.0.0', 'network-copyleft', true, true],
    ['JSON', 'source-available', true, null],
    ['Unicode-TOU', 'source-available', true, null],
    // OSI approved it, and nobody classified it.
    ['RSCPL', 'unknown', null, true],
    ['Abstyles', 'unknown', null, null],
  ])(
    'know of %s: %s, attribution %s, commercial use %s',
    (name, category, attribution, commercial) => {
      expect(findKnownLicense(name)).toMatchObject({
        category,
        requires_attribution: attribution,
        allows_commercial: commercial,
      });
    },
  );

  it('never withhold commercial use and are called open at once', () => {
    const wrong = spdxLicenses.filter(
      ({ category, allows_commercial }) =>
        allows_commercial === false && category !== 'source-available',
    );

    expect(wrong).toEqual([]);
  });
});

describe('finding an SPDX license', () => {
  it.each([
    ['mit', 'MIT'],
    ['GPL-2.0', 'GPL-2.0-only'],
    ['gpl-2.0+', 'GPL-2.0-or-later'],
    ['Apache-2.0+', 'Apache-2.0'],
    ['Nunit', 'zlib-acknowledgement'],
    ['BSD-2-Clause-NetBSD', 'BSD-2-Clause'],
  ])('answers %s with %s', (name, found) => {
    expect(findKnownLicense(name)?.name).toBe(found);
  });

  it.each(['Acme EULA', 'MIT OR ISC', 'GPL-2.0-with-classpath-exception', ''])(
    'answers %j with nothing',
    (name) => {
      expect(findKnownLicense(name)).toBeUndefined();
    },
  );

  it('takes the title from the SPDX list, or else the identifier', () => {
    expect(findKnownLicense('MIT')?.title).toBe('MIT License');
    expect(findKnownLicense('Bugroff')?.title).toBe('Bugroff');
  });
});
