/** What is stored of a package, as DynamoDB answers a query with it, and the answers that are made of such. */
import type { PackageAnswer } from '../../../shared/schemas/package.ts';

export const storedPackage: PackageAnswer = {
  name: 'lodash',
  version: '4.17.21',
  ecosystem: 'npm',
  status: 'approved',
  license: 'MIT',
  description: 'Lodash modular utilities.',
  homepage: 'https://lodash.com/',
  repository: 'git+https://github.com/lodash/lodash.git',
  submitted_by: 'dev@example.com',
  submitted_at: '2026-03-02T09:12:44.120Z',
  approved_by: 'security@example.com',
  approved_at: '2026-03-03T14:01:05.911Z',
  rejected_by: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
  license_reading: 'MIT',
  license_note: null,
};

const { name, version, ecosystem, status, license } = storedPackage;

const listed = 20;

/** A page in the midst of a list. */
export const storedPage = {
  packages: Array.from({ length: listed }, () => ({ name, version, ecosystem, status, license })),
  total: 1000,
  limit: listed,
  offset: 40,
};

const { license_reading: _reading, license_note: _note, ...detail } = storedPackage;

/** The item of the package: its detail, its keys, and what else is kept of it. */
const item = {
  ...detail,
  name_key: 'lodash',
  version_key: 'npm#lodash#4.17.21',
  ordinal: '000000000001048576',
  ecosystem_ordinal: 'npm#000000000001048576',
  status_ordinal: 'approved#000000000001048576',
  ecosystem_status_ordinal: 'npm#approved#000000000001048576',
  pinned: '4fd1a0bd1a2b9cc7b61a4ad7a0a5cf8b30c94d1f86f08e02f75a1dbcbf7ba7b1',
  revision: 1,
  write_id: '6f9d1c61-5a37-4b0e-9f4e-3a90fd8bc9a1',
};

const toAttribute = (value: unknown): object => {
  if (value === null) return { NULL: true };
  return typeof value === 'number' ? { N: String(value) } : { S: value };
};

/** What DynamoDB answers a query with that finds the item. */
export const queryAnswer = JSON.stringify({
  Count: 1,
  ScannedCount: 1,
  Items: [
    Object.fromEntries(Object.entries(item).map(([key, value]) => [key, toAttribute(value)])),
  ],
});
