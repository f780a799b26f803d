import type { LicenseEvidence } from '../../domain/licenses/effective-license.ts';
import type { LicenseStatus } from '../../domain/licenses/license-status.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { applyRules, type PolicyVerdict } from '../../domain/policy/apply-rules.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import { hasApprovedMajor } from '../../storage/packages/approved-versions.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import {
  type ApprovalRules,
  type Judgement,
  listBlocking,
  weighVersion,
} from '../review/judge-version.ts';

/** A version with the evidence that rules evaluate. */
interface KnownVersion {
  readonly id: PackageId;
  readonly head: ReviewState;
  readonly license: LicenseEvidence;
}

/** Returns the license status for the condition `license`; null if the license is missing or unreadable. */
const findConditionStatus = ({ effective }: LicenseEvidence): LicenseStatus | null =>
  effective === null || effective.status === 'unreadable' ? null : effective.status;

/** Returns the policy's verdict on a version, and the evidence and issues behind it. */
export const judgeByPolicy = async (
  { id, head, license }: KnownVersion,
  { policy, rules, now }: { policy: ReviewPolicy; rules: ApprovalRules; now: Date },
): Promise<{ readonly judgement: Judgement; readonly verdict: PolicyVerdict }> => {
  const judgement = weighVersion(head, license, rules, now);
  const { evidence, issues } = judgement;
  const apply = (approvedMajor: boolean | undefined): PolicyVerdict | undefined =>
    applyRules(policy, {
      subject: {
        ...id,
        submitter: head.submitter,
        sources: head.sources,
        ...(head.accepted_recalls && { accepted_recalls: head.accepted_recalls }),
        license: findConditionStatus(license),
        isUpstreamLicenseKnown: license.upstream_declaration !== 'unknown',
        merged_scan: evidence.merged_scan,
        facts: head.facts,
        hasApprovedMajor: approvedMajor,
      },
      issues,
      minimumAgeDays: rules.minimumAgeDays ?? 0,
      requiresScan: listBlocking(rules).has('scan_missing'),
      now,
    });
  // Most rules do not need the approved major versions, so their query runs only on demand.
  const verdict = apply(undefined) ?? apply(await hasApprovedMajor(id, now));
  if (!verdict) throw new Error('The rules left a question open that was answered');
  return { judgement, verdict };
};
