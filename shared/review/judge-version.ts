import {
  defaultBlockingObjections,
  type ObjectionCode,
  objectToLicense,
  objectToScans,
  type WeighedObjection,
} from '../domain/approval.ts';
import { type Evidence, type LicenseEvidence, toScanEvidence } from '../domain/evidence.ts';
import { objectToFacts } from '../domain/facts/object-to-facts.ts';
import { parseLicense } from '../domain/licenses/parse-license.ts';
import type { PackageId } from '../domain/package-id.ts';
import { defaultScanPolicy, type ScanPolicy } from '../domain/scans/judge.ts';
import { describeStanding } from '../domain/scans/standing.ts';
import { findEachLicense } from '../licensing/find-license.ts';
import { type Head, readHead } from '../store/reviews/heads.ts';

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
  readonly head: Head;
  readonly evidence: Evidence;
  readonly objections: readonly WeighedObjection[];
}

/** How claimed licenses read, and what the organisation thinks of them: read together, each once, by what is claimed. */
export const findLicenseEvidences = async (
  claims: Iterable<string | null>,
): Promise<ReadonlyMap<string | null, LicenseEvidence>> => {
  const claimed = [...new Set(claims)].filter((claim) => claim !== null);
  const read = claimed.map((claim) => ({ claim, expression: parseLicense(claim) }));
  const valid = read.flatMap(({ expression }) => (expression ? [expression] : []));
  const records = (valid.length > 0 ? await findEachLicense(valid) : []).values();
  return new Map(
    read.map(({ claim, expression }) => {
      if (!expression) return [claim, { claimed: claim, reading: null, status: 'unreviewed' }];
      const record = records.next().value;
      const { reading = claim, status = 'unreviewed' } = record ?? {};
      return [claim, { claimed: claim, reading, status }];
    }),
  );
};

/** How the claimed license of a version reads, and what the organisation thinks of it. */
export const findLicenseEvidence = async (
  claimed: string | null,
): Promise<LicenseEvidence | null> => (await findLicenseEvidences([claimed])).get(claimed) ?? null;

/** The objections that need an override, by the settings. */
export const listBlocking = ({
  blockingObjections = defaultBlockingObjections,
  requireApprovedLicense = false,
}: ApprovalRules): ReadonlySet<ObjectionCode> =>
  new Set([
    ...blockingObjections,
    ...(requireApprovedLicense ? (['license_not_approved'] as const) : []),
  ]);

/** What is known of a version, weighed by the rules of approvals. */
export const weighVersion = (
  head: Head,
  license: LicenseEvidence | null,
  rules: ApprovalRules,
  now: Date,
): Judgement => {
  const blocking = listBlocking(rules);
  const policy = rules.scanPolicy ?? defaultScanPolicy;
  const picture = describeStanding(head, { now, policy });
  const { facts } = head;
  const objections = [
    objectToLicense(license, { requireApproved: blocking.has('license_not_approved') }),
    objectToScans(picture),
    ...objectToFacts(facts, { license, minimumAgeDays: rules.minimumAgeDays ?? 0, now }),
  ].filter((objection) => objection !== undefined);
  return {
    head,
    evidence: { scans: toScanEvidence(head.slots, policy), picture, license, facts },
    objections: objections.map((objection) => ({
      ...objection,
      // Where only approved licenses need not do, it says that nothing is known of the license.
      blocks: blocking.has(objection.code) || objection.code === 'license_not_approved',
    })),
  };
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
  return weighVersion(head, license, rules, now);
};
