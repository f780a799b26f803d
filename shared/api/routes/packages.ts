/** Routes that list and show packages, their versions and their history. */
import { approvalPolicySettings } from '../approval-settings.ts';
import type { Route } from '../route.ts';
import { HistoryQuery } from '../schemas/history-query.ts';
import { ListQuery } from '../schemas/list-query.ts';
import { VersionFilter } from '../schemas/version-query.ts';
import { VersionsQuery } from '../schemas/versions-query.ts';
import { versionSelection } from './common-access.ts';

export const listPackages = {
  id: 'list-packages',
  method: 'GET',
  path: '/api/v1/packages',
  summary: 'List or search package versions',
  access: {
    catalogue: ['Query'],
    reviews: ['BatchGetItem', 'Query', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: approvalPolicySettings,
  },
  query: ListQuery,
  success: { status: 200, answer: 'ListedPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showPackage = {
  id: 'show-package',
  method: 'GET',
  path: '/api/v1/packages/{name}',
  summary: 'Show a package version: the latest submission, or the selected one',
  access: { packages: versionSelection },
  query: VersionFilter,
  success: { status: 200, answer: 'PackageAnswer' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const listVersions = {
  id: 'list-versions',
  method: 'GET',
  path: '/api/v1/packages/{name}/versions',
  summary: 'List the versions of a package, newest first',
  access: {
    packages: [
      'Query',
      'QueryIndex:by-sequence',
      'QueryIndex:by-ecosystem',
      'QueryIndex:by-status',
      'QueryIndex:by-ecosystem-and-status',
      'GetItem',
    ],
  },
  query: VersionsQuery,
  success: { status: 200, answer: 'PackagePage', header: 'Link' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const listHistory = {
  id: 'list-history',
  method: 'GET',
  path: '/api/v1/packages/{name}/history',
  summary: 'List the history of a package, with the evidence of each decision',
  access: { decisions: ['Query', 'QueryIndex:by-time'] },
  query: HistoryQuery,
  success: { status: 200, answer: 'HistoryPage', header: 'Link' },
  errors: ['package_not_found'],
} as const satisfies Route;
