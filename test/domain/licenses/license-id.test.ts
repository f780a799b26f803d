import { describe, expect, it } from 'vitest';
import { findCurrentLicense, spellLicense } from '../../../shared/domain/licenses/license-id.ts';

describe('canonicalLicense', () => {
  it.each([
    ['mit', 'MIT'],
    ['APACHE-2.0', 'Apache-2.0'],
    ['gpl-2.0+', 'GPL-2.0+'],
    ['(mit or apache-2.0)', '(MIT OR Apache-2.0)'],
    ['gpl-2.0-only with classpath-exception-2.0', 'GPL-2.0-only WITH Classpath-exception-2.0'],
    ['LicenseRef-Acme', 'LicenseRef-Acme'],
    ['Acme Proprietary or mit', 'Acme Proprietary or mit'],
    ['MIT License', 'MIT License'],
    ['see LICENSE', 'see LICENSE'],
  ])('stores %j as %j', (given, stored) => {
    expect(spellLicense(given)).toBe(stored);
  });
});

describe('currentLicense', () => {
  it.each([
    ['MIT', 'mit'],
    ['GPL-2.0', 'gpl-2.0-only'],
    ['gpl-3.0+', 'gpl-3.0-or-later'],
    ['LGPL-2.1', 'lgpl-2.1-only'],
    ['BSD-2-Clause-FreeBSD', 'bsd-2-clause-views'],
    ['bzip2-1.0.5', 'bzip2-1.0.6'],
    ['nunit', 'zlib-acknowledgement'],
    ['GPL-3.0-only+', 'gpl-3.0-or-later'],
    ['GPL-3.0-or-later+', 'gpl-3.0-or-later'],
    ['Apache-2.0+', 'apache-2.0+'],
    ['Net-SNMP', 'net-snmp'],
    ['eCos-2.0', 'gpl-2.0-or-later with ecos-exception-2.0'],
    ['GPL-2.0-with-GCC-exception', 'gpl-2.0-only with gcc-exception-2.0'],
    ['gpl-2.0-with-font-exception+', 'gpl-2.0-or-later with font-exception-2.0'],
    ['Acme-1.0', 'acme-1.0'],
  ])('reads %s as %s', (name, current) => {
    expect((findCurrentLicense(name) ?? name).toLowerCase()).toBe(current);
  });
});
