import { RegistryError } from '../errors.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { PackageId } from '../packages/package-id.ts';
import { nameRecallRecord } from '../recalls/recall.ts';
import type { MergedScanEvidence } from '../vulnerabilities/scan-summary.ts';
import { explainFailedScan } from '../vulnerabilities/severity-counts.ts';
import type { ScanPolicy } from '../vulnerabilities/verdict.ts';

/** Codes of issues that can block an approval. */
export const issueCodes = [
  'scan_failed',
  'license_rejected',
  'license_unreadable',
  'license_not_approved',
  'license_unreviewed',
  'license_differs',
  'scan_missing',
  'not_found_at_origin',
  'deprecated',
  'yanked',
  'too_young',
  'install_scripts',
] as const;

export type IssueCode = (typeof issueCodes)[number];

/**
 * Codes of issues that never block an approval. They depend on other packages of the registry, and are computed when the
 * evidence is read.
 */
export const warningCodes = ['dependency_unmet'] as const;

export type WarningCode = (typeof warningCodes)[number];

/** Issue that never blocks an approval. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** Issues that block an approval by default, unless overridden. */
export const defaultBlockingIssues: readonly IssueCode[] = ['scan_failed', 'license_rejected'];

/**
 * Issues that always block an approval unless overridden. The license is unknown, and so are the terms that an approval
 * would accept.
 */
export const alwaysBlockingIssues: readonly IssueCode[] = ['license_unreadable'];

/** Issue of a version, to be considered before an approval. */
export interface Issue {
  readonly code: IssueCode;
  readonly message: string;
}

/** Issue, and whether it blocks an approval unless the reviewer overrides it. */
export interface WeighedIssue extends Issue {
  readonly blocks: boolean;
}

const canBlock = (code: IssueCode | WarningCode): code is IssueCode =>
  issueCodes.some((one) => one === code);

/** Returns the codes of the blocking issues, for an override. */
export const listBlockingCodes = (
  issues: readonly { readonly code: IssueCode | WarningCode; readonly blocks: boolean }[],
): IssueCode[] =>
  issues
    .filter(({ blocks }) => blocks)
    .map(({ code }) => code)
    .filter(canBlock);

/** Returns the issue of a version's scans: they failed under the policy, or none has finished. */
export const listScanIssues = (
  { status, severity }: MergedScanEvidence,
  policy: ScanPolicy,
): Issue | undefined => {
  if (status === 'missing') return { code: 'scan_missing', message: 'The version has no scan.' };
  if (status === 'error')
    return { code: 'scan_missing', message: 'No scan of the version has finished.' };
  if (status !== 'failed') return undefined;
  return { code: 'scan_failed', message: explainFailedScan(severity, policy) };
};

/** Returns the error for the approval of a recalled version that does not accept the first of its records. */
export const refuseRecalled = (
  id: PackageId,
  [first = '', ...others]: readonly string[],
): RegistryError =>
  new RegistryError(
    'version_recalled',
    `${formatPackage(id)} was not approved, since it was recalled: ${[first, ...others].map(nameRecallRecord).join(', ')}. To approve it anyway, send accept_recall with ${first}, and a reason.`,
  );

/** Override of an approval: all blocking issues, those with the given codes, or none. */
export type Override = boolean | readonly IssueCode[];

const overrides = (override: Override, code: IssueCode): boolean =>
  typeof override === 'boolean' ? override : override.includes(code);

/**
 * Checks that every blocking issue of an approval is overridden.
 * @throws {RegistryError} `approval_blocked`, with the remaining issues as its reasons
 */
export const checkIssues = (
  id: PackageId,
  issues: readonly WeighedIssue[],
  override: Override,
): void => {
  const blocking = issues.filter(({ blocks }) => blocks);
  const open = blocking.filter(({ code }) => !overrides(override, code));
  if (open.length === 0) return;
  const why = open.map(({ message }) => message).join(' ');
  const codes = [...new Set(blocking.map(({ code }) => JSON.stringify(code)))].join(', ');
  throw new RegistryError(
    'approval_blocked',
    `${formatPackage(id)} was not approved. ${why} To approve it anyway, send "override": [${codes}] and a reason.`,
    { members: { reasons: open.map(({ code, message }) => ({ code, message })) } },
  );
};
