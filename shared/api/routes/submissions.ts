/** Routes that submit package versions. */
import type { Route } from '../route.ts';
import { SubmissionList } from '../schemas/many.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { Submission } from '../schemas/submission.ts';
import { manyMaxBytes } from './common-access.ts';

const submissionAccess = {
  tokens: ['GetSecretValue'],
  packages: ['UpdateItem', 'PutItem', 'GetItem'],
  catalogue: ['PutItem', 'UpdateItem'],
  decisions: ['PutItem'],
  // A pending version joins a batch.
  reviews: ['PutItem', 'UpdateItem'],
  scans: ['PutItem'],
  idempotency: ['PutItem', 'GetItem', 'UpdateItem'],
  settings: ['requireTokens', 'fourEyes', 'counterShards', 'submissionsPerDay', 'ownPackages'],
} as const;

export const submitPackage = {
  id: 'submit-package',
  method: 'POST',
  path: '/api/v1/packages',
  summary: 'Submit a package version for review',
  scope: 'submit',
  access: submissionAccess,
  query: NoQuery,
  body: { schema: Submission, optional: false },
  success: { status: 201, answer: 'PackageAnswer', header: 'Location' },
  errors: [
    'label_required',
    'package_exists',
    'own_package',
    'quota_reached',
    'write_contention',
    'outcome_unknown',
  ],
} as const satisfies Route;

export const submitPackages = {
  id: 'submit-packages',
  method: 'POST',
  path: '/api/v1/submissions',
  summary: 'Submit up to 100 package versions for review',
  scope: 'submit',
  many: true,
  access: submissionAccess,
  query: NoQuery,
  body: { schema: SubmissionList, optional: false, maxBytes: manyMaxBytes },
  success: { status: 200, answer: 'ResultList' },
  errors: [],
} as const satisfies Route;
