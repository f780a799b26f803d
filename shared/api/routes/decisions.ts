/** Routes of decisions on package versions, and of approvals that expire or need attention. */
import type { Route } from '../route.ts';
import { AttentionQuery } from '../schemas/attention-query.ts';
import { Approval, Rejection } from '../schemas/decision.ts';
import { ExpirationsQuery } from '../schemas/expirations-query.ts';
import { DecisionList } from '../schemas/many.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { VersionSelection } from '../schemas/version-query.ts';
import { manyMaxBytes } from './common-access.ts';

/** Actions that select and update one version. `GetItem` serves to explain a refusal. */
const selectionAndUpdate = [
  'Query',
  'QueryIndex:by-sequence',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-status',
  'QueryIndex:by-ecosystem-and-status',
  'UpdateItem',
  'GetItem',
] as const;

const approvalSettings = [
  'requireTokens',
  'fourEyes',
  'counterShards',
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
  'blockingIssues',
  'requireApprovedLicense',
  'minimumAgeDays',
  'approvalDays',
] as const;

export const approvePackage = {
  id: 'approve-package',
  method: 'POST',
  path: '/api/v1/packages/{name}/approve',
  summary: 'Approve a package version',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    packages: selectionAndUpdate,
    catalogue: ['PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    // An approval may expire.
    reviews: ['GetItem', 'UpdateItem', 'DeleteItem', 'PutItem'],
    licenses: ['BatchGetItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: approvalSettings,
  },
  query: VersionSelection,
  body: { schema: Approval, optional: true },
  success: { status: 200, answer: 'PackageAnswer' },
  errors: [
    'label_required',
    'package_not_found',
    'ambiguous_version',
    'reason_required',
    'decision_in_force',
    'decision_conflict',
    'write_contention',
    'outcome_unknown',
    'four_eyes',
    'approval_blocked',
    'version_recalled',
    'evidence_changed',
  ],
} as const satisfies Route;

export const rejectPackage = {
  id: 'reject-package',
  method: 'POST',
  path: '/api/v1/packages/{name}/reject',
  summary: 'Reject a package version',
  scope: 'review',
  ownScope: 'submit',
  access: {
    tokens: ['GetSecretValue'],
    packages: selectionAndUpdate,
    catalogue: ['PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    reviews: ['GetItem', 'UpdateItem', 'DeleteItem', 'PutItem'],
    licenses: ['BatchGetItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: [
      'requireTokens',
      'fourEyes',
      'counterShards',
      'scanFailedFrom',
      'scanWarningFrom',
      'scanUnrated',
    ],
  },
  query: VersionSelection,
  body: { schema: Rejection, optional: true },
  success: { status: 200, answer: 'PackageAnswer' },
  errors: [
    'label_required',
    'package_not_found',
    'ambiguous_version',
    'reason_required',
    'decision_in_force',
    'decision_conflict',
    'write_contention',
    'outcome_unknown',
  ],
} as const satisfies Route;

export const decidePackages = {
  id: 'decide-packages',
  method: 'POST',
  path: '/api/v1/decisions',
  summary: 'Approve and reject up to 100 package versions',
  scope: 'review',
  ownScope: 'submit',
  many: true,
  access: {
    tokens: ['GetSecretValue'],
    // Each decision names its version.
    packages: ['Query', 'UpdateItem', 'GetItem'],
    catalogue: ['PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    reviews: ['GetItem', 'UpdateItem', 'DeleteItem', 'PutItem'],
    licenses: ['BatchGetItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: approvalSettings,
  },
  query: NoQuery,
  body: { schema: DecisionList, optional: false, maxBytes: manyMaxBytes },
  success: { status: 200, answer: 'ResultList' },
  errors: [],
} as const satisfies Route;

export const listExpirations = {
  id: 'list-expirations',
  method: 'GET',
  path: '/api/v1/expirations',
  summary: 'List approvals with an expiry date, the earliest first',
  access: { reviews: ['Query'] },
  query: ExpirationsQuery,
  success: { status: 200, answer: 'ExpirationPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const listAttention = {
  id: 'list-attention',
  method: 'GET',
  path: '/api/v1/attention',
  summary: 'List recalled versions, and approved versions with new problems',
  access: { reviews: ['Query'] },
  query: AttentionQuery,
  success: { status: 200, answer: 'AttentionPage', header: 'Link' },
  errors: [],
} as const satisfies Route;
