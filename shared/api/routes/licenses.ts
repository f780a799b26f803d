/** Routes of license records. */

import type { Route } from '../route.ts';
import { LicenseDecision } from '../schemas/license.ts';
import { LicenseVersionsQuery } from '../schemas/license-versions.ts';
import { LicensesQuery } from '../schemas/licenses-query.ts';
import { NoQuery } from '../schemas/no-query.ts';

export const listLicenses = {
  id: 'list-licenses',
  method: 'GET',
  path: '/api/v1/licenses',
  summary: 'List or search licenses',
  access: { licenses: ['Query', 'QueryIndex:by-status', 'QueryIndex:by-category'] },
  query: LicensesQuery,
  success: { status: 200, answer: 'LicensePage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showLicense = {
  id: 'show-license',
  method: 'GET',
  path: '/api/v1/licenses/{name}',
  summary: 'Show a license or SPDX expression, with its terms and status',
  access: { licenses: ['BatchGetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'LicenseRecord' },
  errors: ['license_not_found'],
} as const satisfies Route;

export const listLicenseVersions = {
  id: 'list-license-versions',
  method: 'GET',
  path: '/api/v1/licenses/{name}/versions',
  summary: 'List the package versions that state a license',
  access: { reviews: ['Query'] },
  query: LicenseVersionsQuery,
  success: { status: 200, answer: 'LicenseVersionPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const setLicense = {
  id: 'set-license',
  method: 'PUT',
  path: '/api/v1/licenses/{name}',
  summary: "Decide on a license, or add the organisation's own license",
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    licenses: ['BatchGetItem', 'PutItem', 'DeleteItem'],
    decisions: ['PutItem'],
    reviews: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens', 'fourEyes'],
  },
  query: NoQuery,
  body: { schema: LicenseDecision, optional: false },
  success: { status: 200, answer: 'LicenseRecord' },
  errors: ['license_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const compareLicenses = {
  id: 'compare-licenses',
  method: 'GET',
  path: '/api/v1/licenses/{name}/compatibility/{other}',
  summary: 'Check whether a work under another license may contain code under this license',
  access: { licenses: ['BatchGetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'LicenseCompatibility' },
  errors: ['license_not_found'],
} as const satisfies Route;
