import { comparisonCodes } from '../changes/change-issues.ts';
import { RegistryError } from '../errors.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { PackageId } from '../packages/package-id.ts';
import { nameRecallRecord } from '../recalls/recall.ts';
import type { MergedScanEvidence } from '../vulnerabilities/scan-summary.ts';
import { explainFailedScan } from '../vulnerabilities/severity-counts.ts';
import type { ScanPolicy } from '../vulnerabilities/verdict.ts';

/** Codes of blocking issues that an override of an approval can name. */
export const overridableCodes = [
  'scan_failed',
  'license_rejected',
  'license_unreadable',
  'provenance_invalid',
  'license_not_approved',
  'license_unreviewed',
  'license_differs',
  'scan_missing',
  'not_found_at_origin',
  'deprecated',
  'yanked',
  'too_young',
  'install_scripts',
  ...comparisonCodes,
] as const;

export type OverridableCode = (typeof overridableCodes)[number];

/** Codes of issues that can block an approval. An override does not lift `malware`: the approval accepts the record. */
export const issueCodes = ['malware', ...overridableCodes] as const;

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
 * Issues that block an approval whatever the settings are. Of malware, a person has to accept the record. Of an unreadable
 * license, the terms are unknown that an approval would accept. A file with an invalid attestation may be forged.
 */
export const alwaysBlockingIssues: readonly IssueCode[] = [
  'malware',
  'license_unreadable',
  'provenance_invalid',
];

/** Issue of a version, to be considered before an approval. */
export interface Issue {
  readonly code: IssueCode;
  readonly message: string;
}

/** Issue, and whether it blocks an approval unless the reviewer overrides it. */
export interface WeighedIssue extends Issue {
  readonly blocks: boolean;
}

const isOverridable = (code: IssueCode | WarningCode): code is OverridableCode =>
  overridableCodes.some((one) => one === code);

/** Returns the codes of the blocking issues that an override can name. */
export const listBlockingCodes = (
  issues: readonly { readonly code: IssueCode | WarningCode; readonly blocks: boolean }[],
): OverridableCode[] =>
  issues
    .filter(({ blocks }) => blocks)
    .map(({ code }) => code)
    .filter(isOverridable);

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

/** Override of an approval: all blocking issues except malware, those with the given codes, or none. */
export type Override = boolean | readonly OverridableCode[];

/** Blocking issues that an approval overrides, and the records of malware of its version. */
export interface ApprovalTerms {
  readonly override: Override;
  /** Records of malware that the approval has to accept, by naming the first one. */
  readonly records: readonly string[];
  /** Record of malware that the approval accepts. */
  readonly acceptRecall?: string | null | undefined;
}

const isLifted = (code: IssueCode, { override, records, acceptRecall }: ApprovalTerms): boolean => {
  if (!isOverridable(code)) return acceptRecall === records[0];
  return typeof override === 'boolean' ? override : override.includes(code);
};

/** Returns what an approval in spite of some blocking issues has to send. */
const explainTerms = (blocking: readonly WeighedIssue[], [record]: readonly string[]): string => {
  const codes = [...new Set(listBlockingCodes(blocking))].map((code) => JSON.stringify(code));
  const terms = [
    ...(blocking.some(({ code }) => code === 'malware') ? [`accept_recall with ${record}`] : []),
    ...(codes.length > 0 ? [`"override": [${codes.join(', ')}]`] : []),
  ];
  return `${terms.join(', ')} and a reason`;
};

/**
 * Checks that every blocking issue of an approval is overridden, and that its record of malware is accepted.
 * @throws {RegistryError} `approval_blocked`, with the remaining issues as its reasons
 */
export const checkIssues = (
  id: PackageId,
  issues: readonly WeighedIssue[],
  terms: ApprovalTerms,
): void => {
  const blocking = issues.filter(({ blocks }) => blocks);
  const open = blocking.filter(({ code }) => !isLifted(code, terms));
  if (open.length === 0) return;
  const why = open.map(({ message }) => message).join(' ');
  throw new RegistryError(
    'approval_blocked',
    `${formatPackage(id)} was not approved. ${why} To approve it anyway, send ${explainTerms(blocking, terms.records)}.`,
    { members: { reasons: open.map(({ code, message }) => ({ code, message })) } },
  );
};
