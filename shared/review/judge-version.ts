import { type Objection, objectToLicense, objectToScans } from '../domain/approval.ts';
import { type Evidence, type LicenseEvidence, toScanEvidence } from '../domain/evidence.ts';
import { parseLicense } from '../domain/licenses/parse-license.ts';
import type { PackageId } from '../domain/package-id.ts';
import { defaultScanPolicy, type ScanPolicy } from '../domain/scans/judge.ts';
import { describeStanding } from '../domain/scans/standing.ts';
import { findLicense } from '../licensing/find-license.ts';
import { type Head, readHead } from '../store/reviews/heads.ts';

/** What the organisation demands of approvals. */
export interface ApprovalRules {
  /** What scans come to by what they found; as the settings are by default, if not given. */
  readonly scanPolicy?: ScanPolicy;
  /** Whether a version is only approved where its license is. */
  readonly requireApprovedLicense?: boolean;
  /** For how many days an approval holds that says nothing of it; for ever, if not given or 0. */
  readonly approvalDays?: number;
}

/** What is known of a version, and what of it stands in the way of approving it. */
interface Judgement {
  /** What the evidence was read from: while it stays as it is, so does what follows from it. */
  readonly head: Head;
  readonly evidence: Evidence;
  readonly objections: readonly Objection[];
}

const findLicenseEvidence = async (claimed: string | null): Promise<LicenseEvidence | null> => {
  if (claimed === null) return null;
  const expression = parseLicense(claimed);
  if (!expression) return { claimed, reading: null, status: 'unreviewed' };
  const record = await findLicense(expression);
  return { claimed, reading: record?.reading ?? claimed, status: record?.status ?? 'unreviewed' };
};

/** Looks at all that is known of a version. */
export const judgeVersion = async (
  version: PackageId & { readonly license: string | null },
  rules: ApprovalRules,
  now: Date,
): Promise<Judgement> => {
  const [head, license] = await Promise.all([
    readHead(version),
    findLicenseEvidence(version.license),
  ]);
  const requireApproved = rules.requireApprovedLicense ?? false;
  const policy = rules.scanPolicy ?? defaultScanPolicy;
  const picture = describeStanding(head, { now, policy });
  const objections = [objectToLicense(license, { requireApproved }), objectToScans(picture)];
  return {
    head,
    evidence: { scans: toScanEvidence(head.slots, policy), picture, license },
    objections: objections.filter((objection) => objection !== undefined),
  };
};
