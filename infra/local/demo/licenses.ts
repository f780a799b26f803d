import type { LicenseRecord } from '../../../shared/schemas/license.ts';

type Terms = Omit<LicenseRecord, 'name' | 'url'>;

const license = (name: string, terms: Terms): LicenseRecord => ({
  name,
  ...terms,
  url: `https://spdx.org/licenses/${name}.html`,
});

const permissive = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'PSF-2.0',
  'PostgreSQL',
];
const gpl = ['GPL-2.0-only', 'GPL-2.0-or-later', 'GPL-3.0-or-later'];
const gplFamily = ['LGPL-2.1-or-later', 'LGPL-3.0-only', ...gpl, 'AGPL-3.0-only'];
const sourceAvailable = ['SSPL-1.0', 'BUSL-1.1'];

/** Licenses whose works may not contain code that makes the whole work GPL or AGPL. */
const closedToGpl = [...permissive, 'MPL-2.0', 'EPL-2.0', ...sourceAvailable];

const withNotice = { requires_attribution: true, allows_commercial: true };

/** Terms of a license that asks for little more than to keep its notice. */
const noticeOnly: Terms = {
  status: 'approved',
  category: 'permissive',
  compatible_with: [...permissive, 'MPL-2.0', 'EPL-2.0', ...gplFamily, ...sourceAvailable],
  incompatible_with: [],
  ...withNotice,
};

/**
 * Every license that the demo packages use. The directions follow the FSF's license list and GPL
 * FAQ, the Apache Software Foundation and the license texts; pairs in neither list are unsettled.
 */
export const demoLicenses: readonly LicenseRecord[] = [
  license('MIT', noticeOnly),
  license('ISC', noticeOnly),
  license('BSD-2-Clause', noticeOnly),
  license('BSD-3-Clause', noticeOnly),
  license('PSF-2.0', noticeOnly),
  license('PostgreSQL', noticeOnly),
  license('CC0-1.0', {
    ...noticeOnly,
    category: 'public-domain',
    compatible_with: ['CC0-1.0', ...noticeOnly.compatible_with],
    requires_attribution: false,
  }),
  license('Apache-2.0', {
    ...noticeOnly,
    compatible_with: [
      ...permissive,
      'MPL-2.0',
      'EPL-2.0',
      'LGPL-3.0-only',
      'GPL-3.0-or-later',
      'AGPL-3.0-only',
      ...sourceAvailable,
    ],
    incompatible_with: ['GPL-2.0-only'],
  }),
  license('MPL-2.0', {
    status: 'conditional',
    category: 'weak-copyleft',
    compatible_with: ['MPL-2.0', ...gplFamily],
    incompatible_with: [],
    ...withNotice,
  }),
  license('EPL-2.0', {
    status: 'conditional',
    category: 'weak-copyleft',
    compatible_with: ['EPL-2.0'],
    incompatible_with: gpl,
    ...withNotice,
  }),
  license('LGPL-2.1-or-later', {
    status: 'conditional',
    category: 'weak-copyleft',
    compatible_with: ['LGPL-2.1-or-later', 'LGPL-3.0-only', ...gpl],
    incompatible_with: [],
    ...withNotice,
  }),
  license('LGPL-3.0-only', {
    status: 'conditional',
    category: 'weak-copyleft',
    compatible_with: ['LGPL-3.0-only', 'GPL-3.0-or-later'],
    incompatible_with: ['GPL-2.0-only'],
    ...withNotice,
  }),
  license('GPL-2.0-only', {
    status: 'conditional',
    category: 'copyleft',
    compatible_with: ['GPL-2.0-only', 'GPL-2.0-or-later'],
    incompatible_with: [...closedToGpl, 'LGPL-3.0-only', 'GPL-3.0-or-later', 'AGPL-3.0-only'],
    ...withNotice,
  }),
  license('GPL-2.0-or-later', {
    status: 'conditional',
    category: 'copyleft',
    compatible_with: gpl,
    incompatible_with: closedToGpl,
    ...withNotice,
  }),
  license('GPL-3.0-or-later', {
    status: 'conditional',
    category: 'copyleft',
    compatible_with: ['GPL-3.0-or-later', 'AGPL-3.0-only'],
    incompatible_with: [...closedToGpl, 'GPL-2.0-only'],
    ...withNotice,
  }),
  license('AGPL-3.0-only', {
    status: 'rejected',
    category: 'network-copyleft',
    compatible_with: ['AGPL-3.0-only'],
    incompatible_with: [...closedToGpl, 'GPL-2.0-only'],
    ...withNotice,
  }),
  license('SSPL-1.0', {
    status: 'rejected',
    category: 'source-available',
    compatible_with: ['SSPL-1.0'],
    incompatible_with: [...permissive, ...gpl, 'AGPL-3.0-only'],
    ...withNotice,
  }),
  license('BUSL-1.1', {
    status: 'rejected',
    category: 'source-available',
    compatible_with: ['BUSL-1.1'],
    incompatible_with: [...permissive, ...gpl, 'AGPL-3.0-only'],
    requires_attribution: true,
    allows_commercial: false,
  }),
];
