import type * as z from 'zod';
import type { AdmissionAnswer, AdmissionReview } from '../../schemas/admission.ts';
import type { VersionChanges } from '../../schemas/changes.ts';
import type { CheckAnswer } from '../../schemas/check.ts';
import type { CheckRequest } from '../../schemas/check-request.ts';
import type { Comment } from '../../schemas/comment.ts';
import type { DependencyList } from '../../schemas/dependency-list.ts';
import type { VersionEvidence } from '../../schemas/evidence.ts';
import type { PolicyPreviewResult, PolicyRun, ReviewPolicy } from '../../schemas/policy.ts';
import type { ReviewSummary } from '../../schemas/review-summary.ts';
import { licenseEvidence, summarizedFacts } from './memory.ts';
import { lodashDetail } from './packages.ts';

export const evidence = {
  package: lodashDetail,
  purl: 'pkg:npm/lodash@4.17.21',
  changes: {
    ...{ ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
    ...{ since: '4.17.20', since_status: 'approved' },
    published_at: summarizedFacts.published_at,
    since_published_at: '2020-08-13T16:53:54.152Z',
    previous: { version: '4.17.20', published_at: '2020-08-13T16:53:54.152Z' },
    ...{ changes: [], change_count: 0, unknown: [] },
  },
  justification: 'The importer groups rows with it; nothing we have does.',
  automatic: null,
  batches: ['shop-2026-11'],
  claim: null,
  facts: {
    found: 'yes',
    reason: null,
    name_found: true,
    published_at: summarizedFacts.published_at,
    licenses_declared: ['MIT'],
    license: 'MIT',
    license_declaration: 'readable',
    license_statement: 'MIT',
    description: 'Lodash modular utilities.',
    homepage: lodashDetail.homepage,
    repository: lodashDetail.repository,
    deprecated: null,
    yanked: null,
    install_scripts: [],
    provenance: {
      status: 'none',
      ...{ source_repository: null, commit: null, workflow: null, builder: null, issuer: null },
      reason: null,
      signatures: 'verified',
    },
    newest_version: '4.17.21',
    checked_at: summarizedFacts.checked_at,
  },
  files: {
    pinned: false,
    total: 1,
    files: [
      {
        file: 'lodash-4.17.21.tgz',
        digest:
          'sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==',
        url: 'https://origin.example.com/lodash/-/lodash-4.17.21.tgz',
      },
    ],
  },
  license: licenseEvidence,
  scan: null,
  earlier: [],
  waits_for: [],
  held_by: null,
  next_evaluation: null,
  recall: null,
  frozen_rule: null,
  issues: [{ code: 'scan_missing', message: 'The version has no scan.', blocks: false }],
  evidence_version: 'Jv1pGZ0cQ3m8yT6sXbWkRw',
} satisfies VersionEvidence;

export const claimed = { ecosystem: 'npm', name: 'lodash', version: '4.17.21' } as const;

export const question = {
  ...{ ecosystem: 'npm', name: 'lodash', version: '4.17.21', at: '2026-11-03T10:00:00.000Z' },
  ...{ by: 'security-team', text: 'Does the importer still need it?', question: true },
} satisfies Comment;

export const changes = {
  ...{ ecosystem: 'npm', name: 'axios', version: '1.14.1' },
  ...{ since: '1.14.0', since_status: 'approved' },
  published_at: '2026-03-31T00:21:58.000Z',
  since_published_at: '2026-03-27T19:01:40.000Z',
  previous: { version: '1.14.0', published_at: '2026-03-27T19:01:40.000Z' },
  changes: [
    {
      ...{ field: 'dependencies', change: 'added', name: 'plain-crypto-js' },
      ...{ before: null, after: '^4.2.1', registry_status: 'not_in_registry' },
      first_published_at: '2026-03-30T05:57:32.000Z',
    },
    {
      ...{ field: 'publisher', change: 'changed', name: null },
      ...{ before: 'GitHub Actions', after: 'jasonsaayman', registry_status: null },
      first_published_at: null,
    },
    {
      ...{ field: 'provenance', change: 'removed', name: null },
      ...{ before: 'present', after: null, registry_status: null },
      first_published_at: null,
    },
  ],
  change_count: 3,
  unknown: [],
} satisfies VersionChanges;

export const dependencyList = {
  ...{ ecosystem: 'npm', name: 'axios', version: '1.14.1' },
  dependencies: [
    { name: 'form-data', range: '^4.0.4', status: 'approved', version: '4.0.5' },
    { name: 'plain-crypto-js', range: '^4.2.1', status: 'not_in_registry', version: null },
  ],
  ...{ total: 2, checked: 2 },
} satisfies DependencyList;

export const reviewPolicy = {
  rules: [
    {
      name: 'types',
      when: { names: ['@types/*'], scan: ['passed'], found: ['yes'] },
      then: 'approve',
      reason: 'Types run nowhere',
    },
  ],
} satisfies ReviewPolicy;

export const policyResult = {
  ecosystem: 'npm',
  name: '@types/node',
  version: '24.0.0',
  status: 'pending',
  decision: 'approve',
  rule: 'types',
  waits_for: [],
} satisfies PolicyPreviewResult;

export const checkRequest = {
  packages: [
    {
      ...{ ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
      hashes: ['sha1-Z5WRxWTDv/quhFTPCz3zcMPWkRw='],
    },
    'pkg:npm/lodash@4.17.20',
    'pkg:pypi/leftpad@0.1.0',
  ],
  allow: ['approved', 'pending'],
} satisfies z.input<typeof CheckRequest>;

const undecided = { rule: null, waits_for: [], waits_until: null };

export const checkAnswer = {
  allowed: false,
  counts: { approved: 1, pending: 0, rejected: 1, unknown: 1 },
  packages: [
    {
      ...{ ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
      ...{ status: 'approved', allowed: true, expires_at: null, reasons: [], content: 'same' },
      ...{ rule: 'of-age', waits_for: [], waits_until: null },
    },
    {
      ...{ ecosystem: 'npm', name: 'lodash', version: '4.17.20' },
      ...{ status: 'rejected', allowed: false, expires_at: null },
      reasons: [{ code: 'rejected', message: 'Rejected: Prototype pollution' }],
      ...undecided,
      nearest_approved: '4.17.21',
    },
    {
      ...{ ecosystem: 'pypi', name: 'leftpad', version: '0.1.0' },
      ...{ status: 'unknown', allowed: false, expires_at: null },
      reasons: [{ code: 'not_submitted', message: 'Not in the registry.' }],
      ...undecided,
      nearest_approved: null,
    },
  ],
  origins: {
    npm: { index_hosts: ['npm.example.com'], file_hosts: ['npm.example.com'] },
    pypi: { index_hosts: ['pypi.example.com'], file_hosts: null },
    maven: { index_hosts: ['maven.example.com'], file_hosts: ['maven.example.com'] },
  },
} satisfies CheckAnswer;

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } as const;
const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';

export const admissionReview = {
  ...review,
  request: { uid, object: { kind: 'Pod', spec: { containers: [{ image: 'mongo:7.0.14' }] } } },
} satisfies AdmissionReview;

export const admissionAnswer = {
  ...review,
  response: {
    uid,
    allowed: false,
    status: {
      code: 403,
      message: 'mongo 7.0.14 is rejected: Its license is not open source; approved: 6.0.19',
    },
  },
} satisfies AdmissionAnswer;

const pinnedImage = {
  op: 'replace',
  path: '/spec/containers/0/image',
  value: `nginx:1.27.3@sha256:${'3c'.repeat(32)}`,
};

export const mutationReview = {
  ...review,
  request: { uid, object: { kind: 'Pod', spec: { containers: [{ image: 'nginx:1.27.3' }] } } },
} satisfies AdmissionReview;

export const mutationAnswer = {
  ...review,
  response: {
    ...{ uid, allowed: true, patchType: 'JSONPatch' },
    patch: btoa(JSON.stringify([pinnedImage])),
  },
} satisfies AdmissionAnswer;

export const policyRun = {
  ...{ state: 'done', started_at: '2026-03-01T12:00:00.000Z' },
  finished_at: '2026-03-01T12:00:09.000Z',
  ...{ looked_at: 812, approved: 640, rejected: 3, held: 41, undecided: 128, failed: 0 },
} satisfies PolicyRun;

export const requestedRun = {
  ...{ state: 'requested', started_at: null, finished_at: null },
  ...{ looked_at: 0, approved: 0, rejected: 0, held: 0, undecided: 0 },
} satisfies Partial<PolicyRun>;

export const reviewSummary: ReviewSummary = {
  ...{ pending: 755, approved: 2, rejected: 1 },
  by_age: [
    { from_days: 0, versions: 700 },
    { from_days: 1, versions: 55 },
    { from_days: 3, versions: 0 },
    { from_days: 7, versions: 0 },
    { from_days: 30, versions: 0 },
  ],
  waits: { review: 3, facts: 0, scan: 0, rules: 0, age: 497, freeze: 0 },
  issues: [{ code: 'license_rejected', versions: 3, blocking: 3 }],
  ...{ evaluated: 500, looked_at: 758, complete: true, next: null },
};
