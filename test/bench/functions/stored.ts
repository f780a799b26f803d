/** The stored items of a package. */

import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { toPackageKey } from '../../../shared/domain/packages/package-id.ts';
import { type PackageItem, toPackageItem } from '../../../shared/storage/packages/package-item.ts';

export const storedPackage: PackageDetail = {
  name: 'lodash',
  version: '4.17.21',
  ecosystem: 'npm',
  status: 'approved',
  license: 'MIT',
  description: 'Lodash modular utilities.',
  homepage: 'https://lodash.com/',
  repository: 'git+https://github.com/lodash/lodash.git',
  submitted_by: 'dev@example.com',
  submitted_token_label: null,
  submitted_at: '2026-03-02T09:12:44.120Z',
  approved_by: 'security@example.com',
  approved_token_label: null,
  approved_at: '2026-03-03T14:01:05.911Z',
  rejected_by: null,
  rejected_token_label: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
};

export const storedItem: PackageItem = toPackageItem(storedPackage, {
  sequence: '0000k2x9',
  writeId: 'Q3VyaW91cywg',
  note: {},
});

/** The number of its versions. */
export const storedCounts = { [toPackageKey('npm', 'lodash')]: 114, u: 114 };
