import type { LicenseEvidence } from '../../domain/licenses/effective-license.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  alwaysBlockingObjections,
  defaultBlockingObjections,
  type ObjectionCode,
  objectToScans,
  type WeighedObjection,
} from '../../domain/review/approval.ts';
import { type Evidence, toScanEvidence } from '../../domain/review/evidence.ts';
import { objectToFacts } from '../../domain/review/object-to-facts.ts';
import { objectToLicense } from '../../domain/review/object-to-license.ts';
import { describeScanSummary } from '../../domain/vulnerabilities/scan-summary.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { findLicenseEvidence, findSubmittedLicense } from '../licensing/find-license-evidence.ts';

/** What the organisation demands of approvals. */
export interface ApprovalRules {
  /** What scans come to by what they found; as the settings are by default, if not given. */
  readonly scanPolicy?: ScanPolicy;
  /** Which objections need an override; as the settings are by default, if not given. */
  readonly blockingObjections?: readonly ObjectionCode[];
  /** Whether a version is only approved where its license is: another way to say `license_not_approved`. */
  readonly requireApprovedLicense?: boolean;
  /** How many days old a version is to be; 0 if not given. */
  readonly minimumAgeDays?: number;
  /** Whether nobody approves what they submitted, and everybody who decides has a label. */
  readonly fourEyes?: boolean;
  /** For how many days an approval holds that says nothing of it; for ever, if not given or 0. */
  readonly approvalDays?: number;
}

/** What is known of a version, and what of it stands in the way of approving it. */
export interface Judgement {
  /** What the evidence was read from: while it stays as it is, so does what follows from it. */
  readonly head: ReviewState;
  readonly evidence: Evidence;
  readonly objections: readonly WeighedObjection[];
}

/** The objections that need an override, by the settings. */
export const listBlocking = ({
  blockingObjections = defaultBlockingObjections,
  requireApprovedLicense = false,
}: ApprovalRules): ReadonlySet<ObjectionCode> =>
  new Set([
    ...alwaysBlockingObjections,
    ...blockingObjections,
    ...(requireApprovedLicense ? (['license_not_approved'] as const) : []),
  ]);

/** What is known of a version, weighed by the rules of approvals. */
export const weighVersion = (
  head: ReviewState,
  license: LicenseEvidence,
  rules: ApprovalRules,
  now: Date,
): Judgement => {
  const blocking = listBlocking(rules);
  const policy = rules.scanPolicy ?? defaultScanPolicy;
  const picture = describeScanSummary(head, { now, policy });
  const { facts } = head;
  const objections = [
    ...objectToLicense(license, { requireApproved: blocking.has('license_not_approved') }),
    objectToScans(picture),
    ...objectToFacts(facts, { minimumAgeDays: rules.minimumAgeDays ?? 0, now }),
  ].filter((objection) => objection !== undefined);
  return {
    head,
    evidence: { scans: toScanEvidence(head.sources, policy), picture, license, facts },
    objections: objections.map((objection) => ({
      ...objection,
      blocks: blocking.has(objection.code),
    })),
  };
};

/** Looks at all that is known of a version. */
export const judgeVersion = async (
  version: PackageId & { readonly license?: string | null },
  rules: ApprovalRules,
  now: Date,
): Promise<Judgement> => {
  // At once: most packages declare the license that was submitted, or none.
  const [head, submitted] = await Promise.all([
    readReviewState(version),
    findSubmittedLicense(version.license ?? null),
  ]);
  const licenseOf = await findLicenseEvidence([head], submitted);
  return weighVersion(head, licenseOf(head), rules, now);
};
