import type {
  LicenseCompatibility,
  LicenseListItem,
  LicenseRecord,
} from '../../schemas/license.ts';

export const listedLicense = {
  name: 'EPL-2.0',
  title: 'Eclipse Public License 2.0',
  status: 'conditional',
  category: 'weak-copyleft',
  requires_attribution: true,
  allows_commercial: true,
  url: 'https://spdx.org/licenses/EPL-2.0.html',
} satisfies LicenseListItem;

export const license = {
  ...listedLicense,
  normalized: 'EPL-2.0',
  compatible_with: ['EPL-2.0'],
  incompatible_with: ['MIT'],
  note: null,
  reviewed_by: null,
  reviewed_token_label: null,
  reviewed_at: null,
} satisfies LicenseRecord;

export const decidedLicense = {
  ...license,
  status: 'approved',
  note: 'As a library, unmodified',
  reviewed_by: 'legal@example.com',
  reviewed_token_label: 'legal',
  reviewed_at: '2026-11-21T10:00:00.000Z',
} satisfies LicenseRecord;

export const compatibility = {
  license: 'Apache-2.0',
  license_normalized: 'Apache-2.0',
  other: 'GPL-2.0-only',
  other_normalized: 'GPL-2.0-only',
  verdict: 'incompatible',
  rule: 'apache-gpl2',
  explanation: 'The patent terms of Apache-2.0 are further restrictions to the GPL, version 2.',
  source: 'https://example.com/licenses/apache-gpl',
} satisfies LicenseCompatibility;
