/** Routes for reviewers: lists of reviews, and the evidence of a version. */
import { evidenceSettings } from '../approval-settings.ts';
import { fileEvidenceSettings } from '../check-settings.ts';
import type { Route } from '../route.ts';
import { BatchesQuery } from '../schemas/batch.ts';
import { ChangesQuery } from '../schemas/changes-query.ts';
import { ClaimRequest } from '../schemas/claim.ts';
import { CommentRequest } from '../schemas/comment.ts';
import { ReviewSummaryQuery } from '../schemas/review-summary.ts';
import { ReviewsQuery } from '../schemas/reviews-query.ts';
import { VersionFilter, VersionSelection } from '../schemas/version-query.ts';
import { versionSelection } from './common-access.ts';

/** Actions that select a version, and look up its dependencies. */
const dependencyLookup = [
  'Query',
  'QueryIndex:by-sequence',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-ecosystem-and-status',
] as const;

export const listReviews = {
  id: 'list-reviews',
  method: 'GET',
  path: '/api/v1/reviews',
  summary: 'List the versions of a batch or a label, or pending versions by issue or severity',
  access: {
    packages: ['QueryIndex:by-ecosystem-and-status'],
    reviews: ['Query', 'BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: evidenceSettings,
  },
  query: ReviewsQuery,
  success: { status: 200, answer: 'ReviewPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const summarizeReviews = {
  id: 'summarize-reviews',
  method: 'GET',
  path: '/api/v1/reviews/summary',
  summary: 'Show counts of pending versions, or of a batch: by status, age, issues and waits',
  access: {
    reviews: ['Query', 'BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: evidenceSettings,
  },
  query: ReviewSummaryQuery,
  success: { status: 200, answer: 'ReviewSummary' },
  errors: [],
} as const satisfies Route;

export const listBatches = {
  id: 'list-batches',
  method: 'GET',
  path: '/api/v1/batches',
  summary: 'List batches of submissions, the newest first',
  access: { reviews: ['Query'] },
  query: BatchesQuery,
  success: { status: 200, answer: 'BatchPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showEvidence = {
  id: 'show-evidence',
  method: 'GET',
  path: '/api/v1/packages/{name}/evidence',
  summary: 'Show the evidence for a decision on a package version',
  access: {
    packages: versionSelection,
    reviews: ['Query', 'GetItem'],
    licenses: ['BatchGetItem'],
    decisions: ['QueryIndex:by-time'],
    settings: fileEvidenceSettings,
  },
  query: VersionFilter,
  success: { status: 200, answer: 'VersionEvidence' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const showChanges = {
  id: 'show-changes',
  method: 'GET',
  path: '/api/v1/packages/{name}/changes',
  summary: 'Show what changed in a package version since an earlier one',
  access: {
    packages: dependencyLookup,
    reviews: ['GetItem', 'BatchGetItem'],
  },
  query: ChangesQuery,
  success: { status: 200, answer: 'VersionChanges' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const commentPackage = {
  id: 'comment-package',
  method: 'POST',
  path: '/api/v1/packages/{name}/comments',
  summary: 'Comment on a package version, without a decision',
  scope: 'review',
  otherScope: 'submit',
  access: {
    tokens: ['GetSecretValue'],
    packages: versionSelection,
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem', 'UpdateItem'],
    settings: ['requireTokens'],
  },
  query: VersionSelection,
  body: { schema: CommentRequest, optional: false },
  success: { status: 201, answer: 'Comment' },
  errors: ['package_not_found', 'ambiguous_version', 'quota_reached', 'outcome_unknown'],
} as const satisfies Route;

export const listDependencies = {
  id: 'list-dependencies',
  method: 'GET',
  path: '/api/v1/packages/{name}/dependencies',
  summary: 'List the dependencies of a package version with their statuses',
  access: {
    packages: dependencyLookup,
    reviews: ['GetItem', 'BatchGetItem'],
  },
  query: VersionSelection,
  success: { status: 200, answer: 'DependencyList' },
  errors: ['package_not_found'],
} as const satisfies Route;

export const claimReview = {
  id: 'claim-review',
  method: 'POST',
  path: '/api/v1/packages/{name}/claim',
  summary: 'Claim the review of a package version for an hour',
  scope: 'review',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    packages: versionSelection,
    reviews: ['GetItem', 'UpdateItem'],
    settings: ['requireTokens'],
  },
  query: VersionSelection,
  body: { schema: ClaimRequest, optional: true },
  success: { status: 200, answer: 'ClaimAnswer' },
  errors: ['package_not_found', 'ambiguous_version'],
} as const satisfies Route;
