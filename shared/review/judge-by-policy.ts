import type { WeighedObjection } from '../domain/approval.ts';
import type { LicenseEvidence } from '../domain/evidence.ts';
import type { LicenseStatus } from '../domain/licenses/status.ts';
import type { PackageId } from '../domain/package-id.ts';
import { applyRules, type PolicyVerdict } from '../domain/policy/apply-rules.ts';
import type { ReviewPolicy } from '../domain/policy/rule.ts';
import { hasApprovedMajor } from '../store/packages/approved-versions.ts';
import type { Head } from '../store/reviews/heads.ts';
import { type ApprovalRules, type Judgement, listBlocking, weighVersion } from './judge-version.ts';

/** What rules are held against: a version, as far as it is known. */
interface KnownVersion {
  readonly id: PackageId;
  readonly head: Head;
  readonly license: LicenseEvidence | null;
}

/** What the organisation thinks of a license that is claimed, and that the package itself does not gainsay. */
const findLicenseStatus = (
  license: LicenseEvidence | null,
  objections: readonly WeighedObjection[],
): LicenseStatus | null =>
  license === null || objections.some(({ code }) => code === 'license_differs')
    ? null
    : license.status;

/** What a policy makes of a version, and what that stands on. */
export const judgeByPolicy = async (
  { id, head, license }: KnownVersion,
  { policy, rules, now }: { policy: ReviewPolicy; rules: ApprovalRules; now: Date },
): Promise<{ readonly judgement: Judgement; readonly verdict: PolicyVerdict }> => {
  const judgement = weighVersion(head, license, rules, now);
  const { evidence, objections } = judgement;
  const apply = (approvedMajor: boolean | undefined): PolicyVerdict | undefined =>
    applyRules(policy, {
      subject: {
        ...id,
        submitter: head.submitter,
        slots: head.slots,
        license: findLicenseStatus(license, objections),
        picture: evidence.picture,
        facts: head.facts,
        hasApprovedMajor: approvedMajor,
      },
      objections,
      requiresScan: listBlocking(rules).has('scan_missing'),
      now,
    });
  // Most versions are judged without that question.
  const verdict = apply(undefined) ?? apply(await hasApprovedMajor(id, now));
  if (!verdict) throw new Error('The rules left a question open that was answered');
  return { judgement, verdict };
};
