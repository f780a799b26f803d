import type { PackageId, PackageTarget } from './packages/package-id.ts';

/** Fixed properties of a problem. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Header that every response with this problem has, in addition to the common ones. */
  readonly header?: 'Location' | 'Retry-After';
  /** Member that every problem document of this kind has, in addition to the common ones. */
  readonly member?: 'candidates' | 'reasons' | 'error';
}

/** All problems of the API by their stable codes. API Gateway responds with most of the last ones. */
export const problems = {
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_body: { status: 400, title: 'The body is not JSON' },
  body_too_large: { status: 400, title: 'The body is too large' },
  too_much_to_read: { status: 400, title: 'The response needs too many reads' },
  ambiguous_version: { status: 400, title: 'Several versions match', member: 'candidates' },
  wrong_subject: { status: 400, title: 'The report is about another package version' },
  reserved_tool: { status: 400, title: 'The name of the tool is reserved' },
  reason_required: { status: 400, title: 'A reason is required' },
  missing_token: { status: 401, title: 'The API key is missing' },
  invalid_token: { status: 403, title: 'The API key is invalid' },
  holder_refused: { status: 403, title: 'No rule accepts the holder of the ID token' },
  scope_missing: { status: 403, title: 'The API key lacks the required scope' },
  not_approved: { status: 403, title: 'The version is not approved', member: 'error' },
  frozen: { status: 403, title: 'The registry is frozen', member: 'error' },
  not_pinned_yet: {
    status: 403,
    title: 'The files of the version are not known yet',
    member: 'error',
  },
  label_required: { status: 403, title: 'The API key needs a label' },
  four_eyes: { status: 403, title: 'Someone else must approve it' },
  package_not_found: { status: 404, title: 'No such package' },
  scan_not_found: { status: 404, title: 'No scan of this package' },
  vulnerability_not_found: { status: 404, title: 'No version has this vulnerability' },
  decision_not_found: { status: 404, title: 'No decision is in force' },
  not_signed_yet: { status: 404, title: 'The decision is not signed yet' },
  signing_disabled: { status: 404, title: 'The registry signs no decisions' },
  license_not_found: { status: 404, title: 'No such license' },
  acceptance_not_found: { status: 404, title: 'No such risk acceptance' },
  held_recall_not_found: { status: 404, title: 'No such held record of malware' },
  project_not_found: { status: 404, title: 'No such project or ref' },
  not_frozen: { status: 404, title: 'The registry is not frozen' },
  approval_blocked: {
    status: 409,
    title: 'The approval is blocked by issues',
    member: 'reasons',
  },
  version_recalled: { status: 409, title: 'The version was recalled' },
  evidence_changed: { status: 409, title: 'The evidence has changed' },
  license_conflict: { status: 409, title: 'Another decision on the license came first' },
  package_exists: { status: 409, title: 'The package version exists already', header: 'Location' },
  own_package: { status: 409, title: 'The package is one of your own' },
  decision_in_force: { status: 409, title: 'The decision is already in force' },
  decision_conflict: { status: 409, title: 'Another decision came first' },
  too_many_acceptances: { status: 409, title: 'Too many risk acceptances' },
  too_many_projects: { status: 409, title: 'Too many projects or refs' },
  recording_in_progress: {
    status: 409,
    title: 'Another request writes the ref',
    header: 'Retry-After',
  },
  quota_reached: {
    status: 409,
    title: 'The daily quota is used up',
    header: 'Retry-After',
  },
  too_many_tools: { status: 409, title: 'The version has too many scan sources' },
  idempotency_key_reused: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
  },
  internal_error: { status: 500, title: 'Internal server error' },
  write_contention: { status: 500, title: 'Too many writes at once', header: 'Retry-After' },
  outcome_unknown: {
    status: 500,
    title: 'The outcome of the write is unknown',
    header: 'Retry-After',
  },
  not_attempted: { status: 500, title: 'There was no time left for this item' },
  storage_unavailable: {
    status: 500,
    title: 'The storage is not available',
    header: 'Retry-After',
  },
  tokens_unavailable: {
    status: 500,
    title: 'Authentication is unavailable',
    header: 'Retry-After',
  },
  issuer_unavailable: {
    status: 500,
    title: 'The keys of the issuer are unavailable',
    header: 'Retry-After',
  },
  keys_unavailable: {
    status: 500,
    title: 'The public key is unavailable',
    header: 'Retry-After',
  },
  bad_request: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  route_not_found: { status: 404, title: 'No such endpoint' },
  request_too_large: { status: 413, title: 'The request is too large' },
  throttled: { status: 429, title: 'Too many requests', header: 'Retry-After' },
  timeout: { status: 500, title: 'The response took too long' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** Returns the kind of a problem. */
export const findProblemKind = (code: ProblemCode): ProblemKind => problems[code];

/** Invalid field, parameter or header of a request, and its correction. */
export interface ErrorItem {
  readonly path: string;
  readonly message: string;
}

interface ProblemParts {
  readonly errors?: readonly ErrorItem[];
  /** Additional members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Package version for the response's `Location` header. */
  readonly location?: PackageId;
  /** Package version whose page in the review console explains the error. */
  readonly explainedBy?: PackageId;
  /** Version that a submission brings into the registry; without a version, any version of that name. */
  readonly submittable?: PackageTarget;
}

/** Error of a request: a stable code, and a message that says what to do. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: ProblemCode;
  readonly parts: ProblemParts;

  constructor(code: ProblemCode, detail: string, parts: ProblemParts = {}) {
    super(detail);
    this.code = code;
    this.parts = parts;
  }
}

/** Message for a `timeout` of a read request. */
export const readTimeoutDetail = 'The response took too long. Try again.';

/** Message for a `timeout` of a write request, which may have succeeded. */
export const writeTimeoutDetail =
  'The response took too long. The write may have succeeded: repeat it with the same Idempotency-Key.';

/** Returns a 400 error about one field, parameter or header. */
export const refuseInvalid = (
  path: string,
  message: string,
  code: ProblemCode = 'validation_failed',
) =>
  new RegistryError(code, path ? `${path}: ${message}` : message, { errors: [{ path, message }] });

/** Returns a 404 error that lists the filters of the request. */
export const refuseUnknownPackage = (sought: {
  readonly name: string;
  readonly ecosystem?: string | undefined;
  readonly version?: string | undefined;
  readonly status?: string | undefined;
}): RegistryError => {
  const { name, ecosystem, version, status } = sought;
  const what = [status, ecosystem, 'package', name.slice(0, 255), version]
    .filter(Boolean)
    .join(' ');
  return new RegistryError('package_not_found', `There is no ${what} in the registry.`);
};

/** Returns a 404 error for an unknown license, with similar names. */
export const refuseUnknownLicense = (
  name: string,
  did_you_mean: readonly string[],
): RegistryError => {
  const question = did_you_mean.length > 0 ? ` Did you mean ${did_you_mean.join(', ')}?` : '';
  return new RegistryError(
    'license_not_found',
    `There is no record of the license ${JSON.stringify(name.slice(0, 255))}. Names are SPDX identifiers, such as MIT or Apache-2.0, or the organisation's own.${question}`,
    { members: { did_you_mean } },
  );
};
