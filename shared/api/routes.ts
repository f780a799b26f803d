import type * as z from 'zod';
import type { ProblemCode } from '../domain/errors.ts';
import type { Scope } from '../domain/tokens/scope.ts';
import { fileEcosystems } from '../ecosystems/ecosystem.ts';
import { toOriginSetting } from './origin-setting.ts';
import { apiPath, packagePath } from './paths.ts';
import type { Access } from './resources.ts';
import { AcceptanceAnswer, AcceptanceRequest, AcceptanceWithdrawal } from './schemas/acceptance.ts';
import { AdmissionAnswer, AdmissionReview, maxReviewBytes } from './schemas/admission.ts';
import { AttentionPage, AttentionQuery } from './schemas/attention.ts';
import { Caller } from './schemas/caller.ts';
import { CheckAnswer, CheckRequest } from './schemas/check.ts';
import { Approval, Rejection } from './schemas/decision.ts';
import { EventPage, EventsQuery } from './schemas/event.ts';
import { VersionEvidence } from './schemas/evidence.ts';
import { ExpirationPage, ExpirationsQuery } from './schemas/expiration.ts';
import { HistoryPage, HistoryQuery } from './schemas/history.ts';
import {
  LicenseCompatibility,
  LicenseDecision,
  LicensePage,
  LicenseRecord,
  LicensesQuery,
} from './schemas/license.ts';
import { ListedPage } from './schemas/listed.ts';
import { DecisionList, ResultList, SubmissionList } from './schemas/many.ts';
import { PackageAnswer, PackagePage } from './schemas/package.ts';
import { PolicyPreview, PolicyPreviewQuery, ReviewPolicy } from './schemas/policy.ts';
import {
  ListQuery,
  NoQuery,
  ScanRetirementQuery,
  ScanSelection,
  UploadQuery,
  VersionFilter,
  VersionSelection,
  VersionsQuery,
} from './schemas/query.ts';
import {
  RetiredScans,
  ScannerReport,
  ScanPage,
  ScanResult,
  ScanRetirement,
} from './schemas/scan.ts';
import { ServiceInfo } from './schemas/service.ts';
import { Statistics, StatisticsQuery } from './schemas/statistics.ts';
import { Submission } from './schemas/submission.ts';
import {
  VulnerabilitiesQuery,
  VulnerabilityDetail,
  VulnerabilityPage,
  VulnerabilityQuery,
} from './schemas/vulnerability.ts';

/** How many bytes the body of a request may have where it does many things. */
const manyMaxBytes = 1024 * 1024;

/** What a request carries. */
interface RequestBody {
  readonly schema: z.ZodType<object>;
  readonly optional: boolean;
  readonly maxBytes?: number;
}

/**
 * One endpoint. Its id names its handler's file and its construct; its access is all that its function is granted.
 * An optional body may be absent.
 */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** What its token must be for, whenever tokens are configured; absent: anyone may call it. */
  readonly scope?: Scope | 'any';
  /** What is enough for whom it is their own submission: its use case holds that. */
  readonly ownScope?: Scope;
  readonly access: Access;
  /** Whether it only asks, though it needs a token: then there is nothing that an Idempotency-Key could keep from being done twice. */
  readonly changesNothing?: boolean;
  /** Whether it does many things, and answers each by itself: what befalls one of them is in the answer, and no answer of its own. */
  readonly many?: boolean;
  readonly query: z.ZodType<object>;
  /** Whether query parameters that it does not know are ignored, and not refused. */
  readonly anyQuery?: boolean;
  readonly body?: RequestBody;
  /** Whether browsers, which ask for HTML, are led to the console. */
  readonly leadsBrowsers?: boolean;
  readonly success: {
    readonly status: 200 | 201;
    readonly schema: z.ZodType;
    /** The header that its handler adds; `Link` only where there are other pages. */
    readonly header?: 'Location' | 'Link';
  };
  /** The refusals of its own, besides those that any endpoint of its kind may answer with. */
  readonly errors: readonly ProblemCode[];
}

/** Selecting one version of a name takes the index that its filter stands for. */
const versionSelection = [
  'Query',
  'QueryIndex:by-ordinal',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-status',
  'QueryIndex:by-ecosystem-and-status',
] as const;

/** What a status of scans follows from, besides what they found. */
const scanPolicySettings = ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'] as const;

/** What stands in the way of an approval follows from these, besides what is known of the version. */
const objectionSettings = [
  'blockingObjections',
  'requireApprovedLicense',
  'minimumAgeDays',
] as const;

const submissionAccess = {
  tokens: ['GetSecretValue'],
  packages: ['UpdateItem', 'PutItem', 'GetItem'],
  catalogue: ['PutItem', 'UpdateItem'],
  decisions: ['PutItem'],
  reviews: ['PutItem'],
  scans: ['PutItem'],
  idempotency: ['PutItem', 'GetItem', 'UpdateItem'],
  settings: ['requireTokens', 'fourEyes', 'counterShards', 'submissionsPerDay'],
} as const;

/** Updating a version and remembering the answer also read what is there, to explain a refusal. */
const decisionAccess = {
  tokens: ['GetSecretValue'],
  packages: [...versionSelection, 'UpdateItem', 'GetItem'],
  catalogue: ['PutItem', 'UpdateItem'],
  decisions: ['PutItem'],
  reviews: ['GetItem', 'UpdateItem', 'DeleteItem'],
  licenses: ['BatchGetItem'],
  idempotency: ['PutItem', 'GetItem'],
  settings: ['requireTokens', 'fourEyes', 'counterShards', ...scanPolicySettings],
} as const;

const approvalAccess = {
  ...decisionAccess,
  // An approval may run out.
  reviews: [...decisionAccess.reviews, 'PutItem'],
  settings: [...decisionAccess.settings, ...objectionSettings, 'approvalDays'],
} as const;

const decisionErrors = [
  'label_required',
  'package_not_found',
  'ambiguous_version',
  'reason_required',
  'decision_in_force',
  'decision_conflict',
  'write_contention',
  'outcome_unknown',
] as const;

/** Every endpoint of the registry: the source of handler types, grants, gateway, documents, client and tests. */
export const routes = {
  showService: {
    id: 'show-service',
    method: 'GET',
    path: '/',
    summary: 'Name, version and authentication of the service',
    access: { tokens: ['GetSecretValue'], settings: ['requireTokens'] },
    query: NoQuery,
    leadsBrowsers: true,
    success: { status: 200, schema: ServiceInfo },
    errors: [],
  },
  showCaller: {
    id: 'show-caller',
    method: 'GET',
    path: `${apiPath}/whoami`,
    summary: 'Whose token is presented, and what it is for',
    scope: 'any',
    changesNothing: true,
    access: { tokens: ['GetSecretValue'], settings: ['requireTokens'] },
    query: NoQuery,
    success: { status: 200, schema: Caller },
    errors: [],
  },
  listPackages: {
    id: 'list-packages',
    method: 'GET',
    path: `${apiPath}/packages`,
    summary: 'List or search package versions',
    access: {
      catalogue: [
        'Query',
        'QueryIndex:by-ecosystem',
        'QueryIndex:by-status',
        'QueryIndex:by-ecosystem-and-status',
      ],
      reviews: ['BatchGetItem'],
      licenses: ['BatchGetItem'],
      settings: [...scanPolicySettings, ...objectionSettings],
    },
    query: ListQuery,
    success: { status: 200, schema: ListedPage, header: 'Link' },
    errors: [],
  },
  showPackage: {
    id: 'show-package',
    method: 'GET',
    path: packagePath,
    summary: 'The newest version of a package, or the one selected',
    access: { packages: versionSelection },
    query: VersionFilter,
    success: { status: 200, schema: PackageAnswer },
    errors: ['package_not_found'],
  },
  listVersions: {
    id: 'list-versions',
    method: 'GET',
    path: `${packagePath}/versions`,
    summary: 'All versions of a package, newest first',
    access: { packages: [...versionSelection, 'GetItem'] },
    query: VersionsQuery,
    success: { status: 200, schema: PackagePage, header: 'Link' },
    errors: ['package_not_found'],
  },
  listHistory: {
    id: 'list-history',
    method: 'GET',
    path: `${packagePath}/history`,
    summary: 'What happened to a package, by whom and on what evidence',
    access: { decisions: ['Query', 'QueryIndex:by-time'] },
    query: HistoryQuery,
    success: { status: 200, schema: HistoryPage, header: 'Link' },
    errors: ['package_not_found'],
  },
  listExpirations: {
    id: 'list-expirations',
    method: 'GET',
    path: `${apiPath}/expirations`,
    summary: 'Approvals that will run out, the next ones first',
    access: { reviews: ['Query'] },
    query: ExpirationsQuery,
    success: { status: 200, schema: ExpirationPage, header: 'Link' },
    errors: [],
  },
  listEvents: {
    id: 'list-events',
    method: 'GET',
    path: `${apiPath}/events`,
    summary: 'Everything that happened, in one order without gaps',
    access: { events: ['Query', 'GetItem'] },
    query: EventsQuery,
    success: { status: 200, schema: EventPage },
    errors: [],
  },
  showStatistics: {
    id: 'show-statistics',
    method: 'GET',
    path: `${apiPath}/statistics`,
    summary: 'What happened on each day',
    access: { events: ['Query'] },
    query: StatisticsQuery,
    success: { status: 200, schema: Statistics },
    errors: [],
  },
  submitPackage: {
    id: 'submit-package',
    method: 'POST',
    path: `${apiPath}/packages`,
    summary: 'Submit a package version for review',
    scope: 'submit',
    access: submissionAccess,
    query: NoQuery,
    body: { schema: Submission, optional: false },
    success: { status: 201, schema: PackageAnswer, header: 'Location' },
    errors: [
      'label_required',
      'package_exists',
      'quota_reached',
      'write_contention',
      'outcome_unknown',
    ],
  },
  submitPackages: {
    id: 'submit-packages',
    method: 'POST',
    path: `${apiPath}/submissions`,
    summary: 'Submit up to 100 package versions for review',
    scope: 'submit',
    many: true,
    access: submissionAccess,
    query: NoQuery,
    body: { schema: SubmissionList, optional: false, maxBytes: manyMaxBytes },
    success: { status: 200, schema: ResultList },
    errors: [],
  },
  approvePackage: {
    id: 'approve-package',
    method: 'POST',
    path: `${packagePath}/approve`,
    summary: 'Approve a package version',
    scope: 'review',
    access: approvalAccess,
    query: VersionSelection,
    body: { schema: Approval, optional: true },
    success: { status: 200, schema: PackageAnswer },
    errors: [...decisionErrors, 'four_eyes', 'approval_blocked', 'evidence_changed'],
  },
  rejectPackage: {
    id: 'reject-package',
    method: 'POST',
    path: `${packagePath}/reject`,
    summary: 'Reject a package version',
    scope: 'review',
    ownScope: 'submit',
    access: decisionAccess,
    query: VersionSelection,
    body: { schema: Rejection, optional: true },
    success: { status: 200, schema: PackageAnswer },
    errors: decisionErrors,
  },
  decidePackages: {
    id: 'decide-packages',
    method: 'POST',
    path: `${apiPath}/decisions`,
    summary: 'Approve and reject up to 100 package versions',
    scope: 'review',
    ownScope: 'submit',
    many: true,
    // Each decision names its version.
    access: { ...approvalAccess, packages: ['Query', 'UpdateItem', 'GetItem'] },
    query: NoQuery,
    body: { schema: DecisionList, optional: false, maxBytes: manyMaxBytes },
    success: { status: 200, schema: ResultList },
    errors: [],
  },
  showEvidence: {
    id: 'show-evidence',
    method: 'GET',
    path: `${packagePath}/evidence`,
    summary: 'All that a decision on a package version stands on',
    access: {
      packages: versionSelection,
      reviews: ['Query', 'GetItem'],
      licenses: ['BatchGetItem'],
      decisions: ['QueryIndex:by-time'],
      settings: [...scanPolicySettings, ...objectionSettings],
    },
    query: VersionFilter,
    success: { status: 200, schema: VersionEvidence },
    errors: ['package_not_found'],
  },
  showScan: {
    id: 'show-scan',
    method: 'GET',
    path: `${apiPath}/security/scans/{name}`,
    summary: 'What all tools found in a package version, or what the scan of a number did',
    access: {
      packages: versionSelection,
      scans: ['Query'],
      reviews: ['Query'],
      settings: scanPolicySettings,
    },
    query: ScanSelection,
    success: { status: 200, schema: ScanResult },
    errors: ['package_not_found', 'scan_not_found'],
  },
  listScans: {
    id: 'list-scans',
    method: 'GET',
    path: `${apiPath}/security/scans/{name}/history`,
    summary: 'All security scans of a package version, newest first',
    access: { packages: versionSelection, scans: ['Query'] },
    query: VersionsQuery,
    success: { status: 200, schema: ScanPage, header: 'Link' },
    errors: ['package_not_found'],
  },
  submitScan: {
    id: 'submit-scan',
    method: 'POST',
    path: `${apiPath}/security/scans/{name}`,
    summary: "Upload a scanner's report on a package version",
    scope: 'submit',
    access: {
      tokens: ['GetSecretValue'],
      packages: versionSelection,
      scans: ['Query', 'PutItem'],
      reviews: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'GetItem', 'UpdateItem'],
      settings: ['requireTokens', 'scansPerDay', ...scanPolicySettings],
    },
    query: UploadQuery,
    body: { schema: ScannerReport, optional: false, maxBytes: 4 * 1024 * 1024 },
    success: { status: 201, schema: ScanResult },
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
  },
  retireScan: {
    id: 'retire-scan',
    method: 'DELETE',
    path: `${apiPath}/security/scans/{name}`,
    summary: 'Have what one tool found with one token count no more',
    scope: 'review',
    access: {
      tokens: ['GetSecretValue'],
      packages: versionSelection,
      reviews: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'GetItem'],
      settings: ['requireTokens', ...scanPolicySettings],
    },
    query: ScanRetirementQuery,
    body: { schema: ScanRetirement, optional: false },
    success: { status: 200, schema: RetiredScans },
    errors: [
      'package_not_found',
      'ambiguous_version',
      'scan_not_found',
      'reserved_tool',
      'write_contention',
      'outcome_unknown',
    ],
  },
  listAttention: {
    id: 'list-attention',
    method: 'GET',
    path: `${apiPath}/attention`,
    summary: 'Approved versions whose scans failed, the worst first',
    access: { reviews: ['Query'] },
    query: AttentionQuery,
    success: { status: 200, schema: AttentionPage, header: 'Link' },
    errors: [],
  },
  listVulnerabilities: {
    id: 'list-vulnerabilities',
    method: 'GET',
    path: `${apiPath}/vulnerabilities`,
    summary: 'The vulnerabilities that versions have, the most severe first',
    access: { reviews: ['Query'] },
    query: VulnerabilitiesQuery,
    success: { status: 200, schema: VulnerabilityPage, header: 'Link' },
    errors: [],
  },
  showVulnerability: {
    id: 'show-vulnerability',
    method: 'GET',
    path: `${apiPath}/vulnerabilities/{id}`,
    summary: 'A vulnerability by any of its ids, and the versions that have it',
    access: { reviews: ['GetItem', 'Query'] },
    query: VulnerabilityQuery,
    success: { status: 200, schema: VulnerabilityDetail, header: 'Link' },
    errors: ['vulnerability_not_found'],
  },
  acceptVulnerability: {
    id: 'accept-vulnerability',
    method: 'POST',
    path: `${apiPath}/vulnerabilities/{id}/acceptances`,
    summary: 'Live with a vulnerability until a time',
    scope: 'review',
    access: {
      tokens: ['GetSecretValue'],
      packages: ['Query'],
      reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'GetItem'],
      settings: ['requireTokens', ...scanPolicySettings],
    },
    query: NoQuery,
    body: { schema: AcceptanceRequest, optional: false },
    success: { status: 201, schema: AcceptanceAnswer },
    errors: ['package_not_found', 'too_many_acceptances', 'write_contention', 'outcome_unknown'],
  },
  withdrawAcceptance: {
    id: 'withdraw-acceptance',
    method: 'DELETE',
    path: `${apiPath}/vulnerabilities/{id}/acceptances/{number}`,
    summary: 'Take back that a vulnerability is lived with',
    scope: 'review',
    access: {
      tokens: ['GetSecretValue'],
      reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'GetItem'],
      settings: ['requireTokens', ...scanPolicySettings],
    },
    query: NoQuery,
    body: { schema: AcceptanceWithdrawal, optional: false },
    success: { status: 200, schema: AcceptanceAnswer },
    errors: ['acceptance_not_found', 'write_contention', 'outcome_unknown'],
  },
  checkPackages: {
    id: 'check-packages',
    method: 'POST',
    path: `${apiPath}/check`,
    summary: 'Whether packages may be used',
    access: {
      packages: ['QueryIndex:by-ecosystem-and-status'],
      reviews: ['BatchGetItem'],
      licenses: ['BatchGetItem'],
      settings: [
        ...scanPolicySettings,
        ...objectionSettings,
        ...fileEcosystems.map(toOriginSetting),
        'gateOrigins',
      ],
    },
    query: NoQuery,
    body: { schema: CheckRequest, optional: false, maxBytes: manyMaxBytes },
    success: { status: 200, schema: CheckAnswer },
    errors: [],
  },
  admitPod: {
    id: 'admit-pod',
    method: 'POST',
    path: `${apiPath}/kubernetes/admission`,
    summary: 'Whether a cluster may run a pod',
    access: {
      packages: ['QueryIndex:by-ecosystem-and-status'],
      reviews: ['GetItem', 'BatchGetItem'],
    },
    query: NoQuery,
    // The API server adds a timeout.
    anyQuery: true,
    body: { schema: AdmissionReview, optional: false, maxBytes: maxReviewBytes },
    success: { status: 200, schema: AdmissionAnswer },
    errors: [],
  },
  previewPolicy: {
    id: 'preview-policy',
    method: 'POST',
    path: `${apiPath}/policy/preview`,
    summary: 'What rules would decide about what is pending',
    scope: 'review',
    changesNothing: true,
    access: {
      tokens: ['GetSecretValue'],
      packages: ['QueryIndex:by-ecosystem-and-status'],
      catalogue: ['Query', 'QueryIndex:by-status'],
      reviews: ['BatchGetItem'],
      licenses: ['BatchGetItem'],
      settings: [
        'requireTokens',
        'osvScanning',
        'collectFacts',
        ...scanPolicySettings,
        ...objectionSettings,
      ],
    },
    query: PolicyPreviewQuery,
    body: { schema: ReviewPolicy, optional: false, maxBytes: 1024 * 1024 },
    success: { status: 200, schema: PolicyPreview },
    errors: [],
  },
  listLicenses: {
    id: 'list-licenses',
    method: 'GET',
    path: `${apiPath}/licenses`,
    summary: 'List or search licenses',
    access: { licenses: ['Query', 'QueryIndex:by-status', 'QueryIndex:by-category'] },
    query: LicensesQuery,
    success: { status: 200, schema: LicensePage, header: 'Link' },
    errors: [],
  },
  showLicense: {
    id: 'show-license',
    method: 'GET',
    path: `${apiPath}/licenses/{name}`,
    summary: 'What the organisation knows and thinks of a license, or of an SPDX expression',
    access: { licenses: ['BatchGetItem'] },
    query: NoQuery,
    success: { status: 200, schema: LicenseRecord },
    errors: ['license_not_found'],
  },
  setLicense: {
    id: 'set-license',
    method: 'PUT',
    path: `${apiPath}/licenses/{name}`,
    summary: "Decide on a license, or add one of the organisation's own",
    scope: 'review',
    access: {
      tokens: ['GetSecretValue'],
      licenses: ['BatchGetItem', 'PutItem', 'DeleteItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'GetItem'],
      settings: ['requireTokens', 'fourEyes'],
    },
    query: NoQuery,
    body: { schema: LicenseDecision, optional: false },
    success: { status: 200, schema: LicenseRecord },
    errors: ['license_conflict', 'write_contention', 'outcome_unknown'],
  },
  compareLicenses: {
    id: 'compare-licenses',
    method: 'GET',
    path: `${apiPath}/licenses/{name}/compatibility/{other}`,
    summary: 'Whether a work released under another license may contain code under this one',
    access: { licenses: ['BatchGetItem'] },
    query: NoQuery,
    success: { status: 200, schema: LicenseCompatibility },
    errors: ['license_not_found'],
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;

/** The names between braces in a path. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Every endpoint, as a list. */
export const allRoutes: readonly Route[] = Object.values(routes);
