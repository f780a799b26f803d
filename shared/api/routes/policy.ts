/** Routes of the review policy. */
import type { Route } from '../route.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { ReviewPolicy } from '../schemas/policy.ts';
import { PolicyPreviewQuery } from '../schemas/policy-preview-query.ts';

export const previewPolicy = {
  id: 'preview-policy',
  method: 'POST',
  path: '/api/v1/policy/preview',
  summary: 'Preview the decisions of rules on pending or decided versions',
  scope: 'review',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    packages: ['QueryIndex:by-ecosystem-and-status'],
    catalogue: ['Query'],
    reviews: ['BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: [
      'requireTokens',
      'osvScanning',
      'collectFacts',
      'scanFailedFrom',
      'scanWarningFrom',
      'scanUnrated',
      'blockingIssues',
      'requireApprovedLicense',
      'minimumAgeDays',
    ],
  },
  query: PolicyPreviewQuery,
  body: { schema: ReviewPolicy, optional: false, maxBytes: 1_048_576 },
  success: { status: 200, answer: 'PolicyPreview' },
  errors: [],
} as const satisfies Route;

export const showPolicy = {
  id: 'show-policy',
  method: 'GET',
  path: '/api/v1/policy',
  summary: 'Show the rules of the policy and the progress of their last run',
  access: { reviews: ['GetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'PolicyStatus' },
  errors: [],
} as const satisfies Route;

export const runPolicy = {
  id: 'run-policy',
  method: 'POST',
  path: '/api/v1/policy/run',
  summary: 'Apply the rules of the policy to all pending versions',
  scope: 'review',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  success: { status: 200, answer: 'PolicyStatus' },
  errors: [],
} as const satisfies Route;
