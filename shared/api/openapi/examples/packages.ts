import { problems } from '../../../domain/errors.ts';
import { problemType } from '../../problem-type.ts';
import type { ListedVersion } from '../../schemas/listed.ts';
import type { PackageAnswer, PackageListItem } from '../../schemas/package.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { Review } from '../../schemas/review.ts';

/** Example of a pending version. Examples use packages of the demo data, so that readers can try them. */
export const pending = {
  name: 'jszip',
  version: '3.10.1',
  ecosystem: 'npm',
  status: 'pending',
  license: 'MIT OR GPL-3.0-or-later',
} satisfies PackageListItem;

export const lodash = {
  name: 'lodash',
  version: '4.17.21',
  ecosystem: 'npm',
  status: 'approved',
  license: 'MIT',
} satisfies PackageListItem;

/** Example of a version in a list with `view=full`. */
export const listed = {
  ...pending,
  submitted_at: '2026-11-20T16:20:00.000Z',
  submitted_by: 'web@example.com',
  submitted_token_label: 'ci',
  license_status: 'approved',
  effective_license: 'MIT',
  scan: {
    status: 'failed',
    severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
    at: '2026-11-20T16:21:00.000Z',
    tools: [{ tool: 'trivy', label: 'ci', number: 1, scan_date: '2026-11-20T16:21:00.000Z' }],
  },
  issues: [
    {
      code: 'scan_failed',
      message: '1 high vulnerability (policy: fail from high).',
      blocks: true,
    },
  ],
  evidence_version: 'h4kLr2vN7dEoA9uPq5MxZg',
  expires_at: null,
  automatic: null,
  newer_update: null,
  older_updates: [],
} satisfies ListedVersion;

/** Example of a version in a list of reviews. */
export const review = {
  ...listed,
  ...{ rule: 'scan-failed', waits_for: ['review'], waits_until: null },
  ...{ batches: ['updates'], demand: 1 },
  submitted_by: 'registry',
  submitted_token_label: null,
  automatic: {
    cause: 'security_fix',
    of: { ecosystem: 'npm', name: 'jszip', version: '3.7.0' },
    fixes: ['CVE-2022-48285'],
  },
  older_updates: ['3.9.1'],
} satisfies Review;

const undecided = {
  approved_by: null,
  approved_token_label: null,
  approved_at: null,
  rejected_by: null,
  rejected_token_label: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
};

export const lodashDetail = {
  ...lodash,
  description: 'Utility functions for arrays, objects, strings and functions',
  homepage: 'https://example.com/lodash',
  repository: 'https://example.com/lodash.git',
  submitted_by: 'web@example.com',
  submitted_token_label: 'ci',
  submitted_at: '2026-11-02T09:30:00.000Z',
  ...undecided,
  license_normalized: 'MIT',
  license_note: null,
  approved_by: 'security@example.com',
  approved_token_label: 'security-team',
  approved_at: '2026-11-03T14:05:00.000Z',
} satisfies PackageAnswer;

export const submittedDetail = {
  name: 'left-pad',
  version: '1.3.0',
  ecosystem: 'npm',
  status: 'pending',
  license: 'WTFPL',
  description: 'Pads a string on its left side',
  homepage: null,
  repository: null,
  submitted_by: 'web@example.com',
  submitted_token_label: 'ci',
  submitted_at: '2026-11-21T08:00:00.000Z',
  ...undecided,
  license_normalized: 'WTFPL',
  license_note: null,
} satisfies PackageAnswer;

const pendingDetail = {
  ...submittedDetail,
  ...pending,
  description: 'Reads and writes zip files',
  license_normalized: pending.license,
} satisfies PackageAnswer;

export const approvedDetail = {
  ...pendingDetail,
  status: 'approved',
  approved_by: 'security@example.com',
  approved_token_label: 'security-team',
  approved_at: '2026-11-21T10:00:00.000Z',
} satisfies PackageAnswer;

export const overridden = {
  ...approvedDetail,
  reason: 'Only build scripts unpack zip files with it',
} satisfies PackageAnswer;

export const rejectedDetail = {
  ...pendingDetail,
  status: 'rejected',
  rejected_by: 'security@example.com',
  rejected_token_label: 'security-team',
  rejected_at: '2026-11-21T10:00:00.000Z',
  reason: 'The platform reads zip files by itself',
} satisfies PackageAnswer;

export const notNeeded = {
  ...submittedDetail,
  status: 'rejected',
  rejected_by: rejectedDetail.rejected_by,
  rejected_token_label: rejectedDetail.rejected_token_label,
  rejected_at: rejectedDetail.rejected_at,
  reason: 'The platform pads by itself',
} satisfies PackageAnswer;

export const alreadyThere = {
  type: problemType('package_exists'),
  title: problems.package_exists.title,
  status: problems.package_exists.status,
  detail: 'npm package lodash 4.17.21 was submitted before and is approved.',
  code: 'package_exists',
  request_id: '3f0c5a1e-8d0b-4c52-9d0e-0a6d1b2c3d4e',
} satisfies Problem;
