/**
 * Endpoints of the registry, one export each. Handlers, grants, the gateway, the OpenAPI document, the client, commands
 * and tests derive from them.
 *
 * A bundle contains the endpoints that its function names, and the schemas of their requests. esbuild drops an unused
 * constant only if it cannot have a side effect. So write paths and lists in full, without `...` and `${}`.
 */
import { approvalPolicySettings, evidenceSettings } from './approval-settings.ts';
import { checkSettings, fileEvidenceSettings } from './check-settings.ts';
import type { Route } from './route.ts';
import { AcceptanceRequest, AcceptanceWithdrawal } from './schemas/acceptance.ts';
import { AdmissionReview, maxReviewBytes } from './schemas/admission.ts';
import { AttentionQuery } from './schemas/attention-query.ts';
import { ChangesQuery } from './schemas/changes-query.ts';
import { CheckRequest } from './schemas/check-request.ts';
import { Approval, Rejection } from './schemas/decision.ts';
import { EventsQuery } from './schemas/events-query.ts';
import { ExpirationsQuery } from './schemas/expirations-query.ts';
import { FreezeRequest } from './schemas/freeze.ts';
import { HeldRecallRequest, HeldRecallsQuery } from './schemas/held-recall.ts';
import { HistoryQuery } from './schemas/history-query.ts';
import { LicenseDecision } from './schemas/license.ts';
import { LicensesQuery } from './schemas/licenses-query.ts';
import { ListQuery } from './schemas/list-query.ts';
import { DecisionList, SubmissionList } from './schemas/many.ts';
import { NoQuery } from './schemas/no-query.ts';
import { ReviewPolicy } from './schemas/policy.ts';
import { PolicyPreviewQuery } from './schemas/policy-preview-query.ts';
import { OwnerReplacement } from './schemas/project.ts';
import { ProjectUsesRequest } from './schemas/project-uses.ts';
import {
  PackageProjectsQuery,
  ProjectQuery,
  ProjectRefQuery,
  ProjectsQuery,
  VulnerabilityProjectsQuery,
} from './schemas/projects-query.ts';
import { RecallsQuery } from './schemas/recall.ts';
import { ReviewsQuery } from './schemas/reviews-query.ts';
import { ScanDismissal, ScannerReport } from './schemas/scan.ts';
import { ScanDismissalQuery, ScanSelection } from './schemas/scan-query.ts';
import { SnapshotRequest } from './schemas/snapshot.ts';
import { StatisticsQuery } from './schemas/statistics-query.ts';
import { Submission } from './schemas/submission.ts';
import { UploadQuery } from './schemas/upload-query.ts';
import { VersionFilter, VersionSelection } from './schemas/version-query.ts';
import { VersionsQuery } from './schemas/versions-query.ts';
import { VulnerabilitiesQuery, VulnerabilityQuery } from './schemas/vulnerabilities-query.ts';

/** Maximum body size of a request with many items, in bytes. */
const manyMaxBytes = 1_048_576;

/** Actions that select one version of a name. Each filter has its own index. */
const versionSelection = [
  'Query',
  'QueryIndex:by-sequence',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-status',
  'QueryIndex:by-ecosystem-and-status',
] as const;

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

/** Settings that decide the status of scans, together with their findings. */
const scanPolicySettings = ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'] as const;

/** Settings of writes that change which findings count. */
const findingSettings = [
  'requireTokens',
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
] as const;

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

export const showService = {
  id: 'show-service',
  method: 'GET',
  path: '/',
  summary: 'Show the name, version, authentication and freeze of the service',
  access: { tokens: ['GetSecretValue'], reviews: ['GetItem'], settings: ['requireTokens'] },
  query: NoQuery,
  leadsBrowsers: true,
  success: { status: 200, answer: 'ServiceInfo' },
  errors: [],
} as const satisfies Route;

export const showCaller = {
  id: 'show-caller',
  method: 'GET',
  path: '/api/v1/whoami',
  summary: 'Show the label and scopes of the token',
  scope: 'any',
  isRepeatable: true,
  access: { tokens: ['GetSecretValue'], settings: ['requireTokens'] },
  query: NoQuery,
  success: { status: 200, answer: 'Caller' },
  errors: [],
} as const satisfies Route;

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

export const showAttestation = {
  id: 'show-attestation',
  method: 'GET',
  path: '/api/v1/packages/{name}/attestation',
  summary: 'Show the signed statement of the decision on a package version',
  access: {
    packages: versionSelection,
    reviews: ['Query'],
    settings: ['signDecisions'],
  },
  query: VersionFilter,
  success: { status: 200, answer: 'Attestation' },
  errors: ['package_not_found', 'decision_not_found', 'not_signed_yet', 'signing_disabled'],
} as const satisfies Route;

export const showKeys = {
  id: 'show-keys',
  method: 'GET',
  path: '/keys',
  summary: 'Show the public key of signed decisions',
  access: { settings: ['signDecisions'] },
  accessWith: { signDecisions: { signingKey: ['GetPublicKey'] } },
  query: NoQuery,
  success: { status: 200, answer: 'KeySet', header: 'Cache-Control' },
  errors: ['keys_unavailable'],
} as const satisfies Route;

export const listReviews = {
  id: 'list-reviews',
  method: 'GET',
  path: '/api/v1/reviews',
  summary: 'List the versions of a batch, or pending versions with an issue or a severity',
  access: {
    reviews: ['Query', 'BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: evidenceSettings,
  },
  query: ReviewsQuery,
  success: { status: 200, answer: 'ReviewPage', header: 'Link' },
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

export const listEvents = {
  id: 'list-events',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List all events, in one order without gaps',
  access: { events: ['Query', 'GetItem'] },
  query: EventsQuery,
  success: { status: 200, answer: 'EventPage' },
  errors: [],
} as const satisfies Route;

export const showStatistics = {
  id: 'show-statistics',
  method: 'GET',
  path: '/api/v1/statistics',
  summary: 'Show the activity of each day',
  access: { events: ['Query'] },
  query: StatisticsQuery,
  success: { status: 200, answer: 'Statistics' },
  errors: [],
} as const satisfies Route;

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
    packages: [
      'Query',
      'QueryIndex:by-sequence',
      'QueryIndex:by-ecosystem',
      'QueryIndex:by-ecosystem-and-status',
    ],
    reviews: ['GetItem', 'BatchGetItem'],
  },
  query: ChangesQuery,
  success: { status: 200, answer: 'VersionChanges' },
  errors: ['package_not_found'],
} as const satisfies Route;

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

export const listRecalls = {
  id: 'list-recalls',
  method: 'GET',
  path: '/api/v1/recalls',
  summary: 'List recalls of approved versions, the newest first',
  access: { reviews: ['Query'] },
  query: RecallsQuery,
  success: { status: 200, answer: 'RecallPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const listHeldRecalls = {
  id: 'list-held-recalls',
  method: 'GET',
  path: '/api/v1/held-recalls',
  summary: 'List records of malware that recall approved versions only after a decision',
  access: { reviews: ['Query'] },
  query: HeldRecallsQuery,
  success: { status: 200, answer: 'HeldRecallPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const decideHeldRecall = {
  id: 'decide-held-recall',
  method: 'POST',
  path: '/api/v1/held-recalls/{id}',
  summary:
    'Recall the approved versions that a held record of malware names, or dismiss the record',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: HeldRecallRequest, optional: false },
  success: { status: 200, answer: 'HeldRecallDecision' },
  errors: ['held_recall_not_found', 'decision_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const listVulnerabilities = {
  id: 'list-vulnerabilities',
  method: 'GET',
  path: '/api/v1/vulnerabilities',
  summary: 'List vulnerabilities of package versions, the most severe first',
  access: { reviews: ['Query'] },
  query: VulnerabilitiesQuery,
  success: { status: 200, answer: 'VulnerabilityPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showVulnerability = {
  id: 'show-vulnerability',
  method: 'GET',
  path: '/api/v1/vulnerabilities/{id}',
  summary: 'Show a vulnerability and its affected versions',
  access: { reviews: ['GetItem', 'Query'] },
  query: VulnerabilityQuery,
  success: { status: 200, answer: 'VulnerabilityDetail', header: 'Link' },
  errors: ['vulnerability_not_found'],
} as const satisfies Route;

export const acceptVulnerability = {
  id: 'accept-vulnerability',
  method: 'POST',
  path: '/api/v1/vulnerabilities/{id}/acceptances',
  summary: 'Accept the risk of a vulnerability until a time',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    packages: ['Query'],
    reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: findingSettings,
  },
  query: NoQuery,
  body: { schema: AcceptanceRequest, optional: false },
  success: { status: 201, answer: 'AcceptanceAnswer' },
  errors: ['package_not_found', 'too_many_acceptances', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const withdrawAcceptance = {
  id: 'withdraw-acceptance',
  method: 'DELETE',
  path: '/api/v1/vulnerabilities/{id}/acceptances/{number}',
  summary: 'Withdraw a risk acceptance',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: findingSettings,
  },
  query: NoQuery,
  body: { schema: AcceptanceWithdrawal, optional: false },
  success: { status: 200, answer: 'AcceptanceAnswer' },
  errors: ['acceptance_not_found', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const checkPackages = {
  id: 'check-packages',
  method: 'POST',
  path: '/api/v1/check',
  summary: 'Check whether package versions may be used',
  access: {
    packages: ['QueryIndex:by-ecosystem-and-status'],
    reviews: ['BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: checkSettings,
  },
  query: NoQuery,
  body: { schema: CheckRequest, optional: false, maxBytes: manyMaxBytes },
  success: { status: 200, answer: 'CheckAnswer' },
  errors: [],
} as const satisfies Route;

export const admitPod = {
  id: 'admit-pod',
  method: 'POST',
  path: '/api/v1/kubernetes/admission',
  summary: 'Check whether a pod may run (Kubernetes admission)',
  access: {
    packages: ['QueryIndex:by-ecosystem-and-status'],
    reviews: ['GetItem', 'BatchGetItem'],
    settings: ['ownPackages', 'osvScanning', 'collectFacts'],
  },
  query: NoQuery,
  // The API server adds a timeout.
  anyQuery: true,
  body: { schema: AdmissionReview, optional: false, maxBytes: maxReviewBytes },
  success: { status: 200, answer: 'AdmissionAnswer' },
  errors: [],
} as const satisfies Route;

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

export const freezeRegistry = {
  id: 'freeze-registry',
  method: 'POST',
  path: '/api/v1/freeze',
  summary: 'Freeze the registry: refuse versions published after a time',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: FreezeRequest, optional: false },
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const liftFreeze = {
  id: 'lift-freeze',
  method: 'DELETE',
  path: '/api/v1/freeze',
  summary: 'Lift the freeze of the registry',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['not_frozen', 'decision_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const showFreeze = {
  id: 'show-freeze',
  method: 'GET',
  path: '/api/v1/freeze',
  summary: 'Show whether the registry is frozen',
  access: { reviews: ['GetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: [],
} as const satisfies Route;

export const recordSnapshot = {
  id: 'record-snapshot',
  method: 'POST',
  path: '/api/v1/projects/{project}/snapshots',
  summary: 'Record what a project uses',
  scope: 'submit',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: SnapshotRequest, optional: false, maxBytes: 4_194_304 },
  success: { status: 200, answer: 'Snapshot' },
  errors: ['recording_in_progress', 'too_many_projects', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const listProjects = {
  id: 'list-projects',
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'List the projects that recorded what they use',
  scope: 'any',
  isRepeatable: true,
  access: { tokens: ['GetSecretValue'], projects: ['Query'], settings: ['requireTokens'] },
  query: ProjectsQuery,
  success: { status: 200, answer: 'ProjectPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showProject = {
  id: 'show-project',
  method: 'GET',
  path: '/api/v1/projects/{project}',
  summary: 'Show a project, and the package versions that it uses with their status now',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query'],
    reviews: ['BatchGetItem'],
    settings: ['requireTokens', 'ownPackages', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
  },
  query: ProjectQuery,
  success: { status: 200, answer: 'ProjectDetail', header: 'Link' },
  errors: ['project_not_found'],
} as const satisfies Route;

export const removeProject = {
  id: 'remove-project',
  method: 'DELETE',
  path: '/api/v1/projects/{project}',
  summary: 'Remove a ref of a project, and the project with its last ref',
  scope: 'submit',
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: ProjectRefQuery,
  success: { status: 200, answer: 'RemovedRef' },
  errors: ['project_not_found', 'recording_in_progress', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const listPackageProjects = {
  id: 'list-package-projects',
  method: 'GET',
  path: '/api/v1/packages/{name}/projects',
  summary: 'List the projects that use a package, or one version of it',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: PackageProjectsQuery,
  success: { status: 200, answer: 'PackageProjects', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const listProjectUses = {
  id: 'list-project-uses',
  method: 'POST',
  path: '/api/v1/project-uses',
  summary: 'List the projects that use each of several package versions',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: ProjectUsesRequest, optional: false },
  success: { status: 200, answer: 'ProjectUses' },
  errors: [],
} as const satisfies Route;

export const listVulnerabilityProjects = {
  id: 'list-vulnerability-projects',
  method: 'GET',
  path: '/api/v1/vulnerabilities/{id}/projects',
  summary: 'List the projects that use a version with a vulnerability',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'Query'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: VulnerabilityProjectsQuery,
  success: { status: 200, answer: 'VulnerabilityProjects', header: 'Link' },
  errors: ['vulnerability_not_found'],
} as const satisfies Route;

export const replaceOwner = {
  id: 'replace-owner',
  method: 'POST',
  path: '/api/v1/project-owners',
  summary: 'Replace an owner of projects, for example by a pseudonym',
  scope: 'review',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'UpdateItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: OwnerReplacement, optional: false },
  success: { status: 200, answer: 'ReplacedOwner' },
  errors: [],
} as const satisfies Route;
