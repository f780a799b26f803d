import { toFactsEvidence } from '../../domain/facts/summary.ts';
import type { LicenseEvidence } from '../../domain/licenses/effective-license.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  alwaysBlockingIssues,
  defaultBlockingIssues,
  type IssueCode,
  listScanIssues,
  type WeighedIssue,
} from '../../domain/review/approval.ts';
import { type Evidence, toScanEvidence } from '../../domain/review/evidence.ts';
import { listFactIssues } from '../../domain/review/fact-issues.ts';
import { listLicenseIssues } from '../../domain/review/license-issues.ts';
import { findMalwareIssue } from '../../domain/review/malware-records.ts';
import { describeScanSummary } from '../../domain/vulnerabilities/scan-summary.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import {
  findLicenseEvidence,
  findSubmittedLicense,
  statesOneLicense,
} from '../licensing/find-license-evidence.ts';

/** Settings of the organisation for approvals. */
export interface ApprovalRules {
  /** Thresholds that turn findings into a scan status; the default settings if omitted. */
  readonly scanPolicy?: ScanPolicy;
  /** Issues that block an approval without an override; the default settings if omitted. */
  readonly blockingIssues?: readonly IssueCode[];
  /** True if only versions with an approved license may be approved; same effect as blocking `license_not_approved`. */
  readonly requireApprovedLicense?: boolean;
  /** Minimum age of a version in days; 0 if omitted. */
  readonly minimumAgeDays?: number;
  /** True if submitters must not approve their own versions, and each decision needs a token with a label. */
  readonly fourEyes?: boolean;
  /** Default duration of an approval in days; 0 or omitted means without expiry. */
  readonly approvalDays?: number;
}

/** Evidence of a version, and the issues against its approval. */
export interface Judgement {
  /** Review state that the evidence was read from. A decision fails if this state has changed by then. */
  readonly head: ReviewState;
  readonly evidence: Evidence;
  readonly issues: readonly WeighedIssue[];
}

/** Returns the issues that block an approval under these settings. */
export const listBlocking = ({
  blockingIssues = defaultBlockingIssues,
  requireApprovedLicense = false,
}: ApprovalRules): ReadonlySet<IssueCode> =>
  new Set([
    ...alwaysBlockingIssues,
    ...blockingIssues,
    ...(requireApprovedLicense ? (['license_not_approved'] as const) : []),
  ]);

/** Returns the evidence of a version, and its issues under the settings for approvals. */
export const weighVersion = (
  head: ReviewState,
  license: LicenseEvidence,
  rules: ApprovalRules,
  now: Date,
): Judgement => {
  const blocking = listBlocking(rules);
  const policy = rules.scanPolicy ?? defaultScanPolicy;
  const mergedScan = describeScanSummary(head, { now, policy });
  const { facts } = head;
  const issues = [
    findMalwareIssue(head),
    ...listLicenseIssues(license, {
      requireApproved: blocking.has('license_not_approved'),
      isSame: statesOneLicense(head),
    }),
    listScanIssues(mergedScan, policy),
    ...listFactIssues(facts, { minimumAgeDays: rules.minimumAgeDays ?? 0, now }),
  ].filter((issue) => issue !== undefined);
  return {
    head,
    evidence: {
      scans: toScanEvidence(head.sources, policy),
      merged_scan: mergedScan,
      license,
      facts: toFactsEvidence(facts),
    },
    issues: issues.map((issue) => ({
      ...issue,
      blocks: blocking.has(issue.code),
    })),
  };
};

/** Loads the evidence of a version, and returns it with its issues under the settings for approvals. */
export const judgeVersion = async (
  version: PackageId & Partial<Pick<PackageItem, 'license' | 'normalization'>>,
  rules: ApprovalRules,
  now: Date,
): Promise<Judgement> => {
  // Loaded in parallel: most packages declare the submitted license, or none, so a third read is rare.
  const [head, submitted] = await Promise.all([
    readReviewState(version),
    findSubmittedLicense({ license: null, ...version }),
  ]);
  const licenseOf = await findLicenseEvidence([head], submitted);
  return weighVersion(head, licenseOf(head), rules, now);
};
