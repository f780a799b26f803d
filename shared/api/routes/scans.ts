/** Routes of security scans. */
import type { Route } from '../route.ts';
import { ScanDismissal, ScannerReport } from '../schemas/scan.ts';
import { ScanDismissalQuery, ScanSelection } from '../schemas/scan-query.ts';
import { UploadQuery } from '../schemas/upload-query.ts';
import { VersionsQuery } from '../schemas/versions-query.ts';
import { findingSettings, versionSelection } from './common-access.ts';

/** Settings that decide the status of scans, together with their findings. */
const scanPolicySettings = ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'] as const;

export const showScan = {
  id: 'show-scan',
  method: 'GET',
  path: '/api/v1/security/scans/{name}',
  summary: 'Show the merged scan of a package version, or one scan by its number',
  access: {
    packages: versionSelection,
    scans: ['Query'],
    reviews: ['Query', 'GetItem'],
    settings: scanPolicySettings,
  },
  query: ScanSelection,
  success: { status: 200, answer: 'ScanResult' },
  errors: ['package_not_found', 'scan_not_found'],
} as const satisfies Route;

export const listScans = {
  id: 'list-scans',
  method: 'GET',
  path: '/api/v1/security/scans/{name}/history',
  summary: 'List the security scans of a package version, newest first',
  access: { packages: versionSelection, scans: ['Query'] },
  query: VersionsQuery,
  success: { status: 200, answer: 'ScanPage', header: 'Link' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const submitScan = {
  id: 'submit-scan',
  method: 'POST',
  path: '/api/v1/security/scans/{name}',
  summary: "Upload a scanner's report on a package version",
  scope: 'submit',
  access: {
    tokens: ['GetSecretValue'],
    packages: versionSelection,
    scans: ['Query', 'PutItem'],
    reviews: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem', 'UpdateItem'],
    settings: ['requireTokens', 'scansPerDay', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
  },
  query: UploadQuery,
  body: { schema: ScannerReport, optional: false, maxBytes: 4_194_304 },
  success: { status: 201, answer: 'ScanResult' },
  errors: [
    'package_not_found',
    'ambiguous_version',
    'wrong_subject',
    'reserved_tool',
    'too_many_tools',
    'quota_reached',
    'write_contention',
    'outcome_unknown',
  ],
} as const satisfies Route;

export const dismissScan = {
  id: 'dismiss-scan',
  method: 'DELETE',
  path: '/api/v1/security/scans/{name}',
  summary: 'Dismiss the scans of one tool and token',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    packages: versionSelection,
    reviews: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: findingSettings,
  },
  query: ScanDismissalQuery,
  body: { schema: ScanDismissal, optional: false },
  success: { status: 200, answer: 'DismissedScans' },
  errors: [
    'package_not_found',
    'ambiguous_version',
    'scan_not_found',
    'reserved_tool',
    'write_contention',
    'outcome_unknown',
  ],
} as const satisfies Route;
