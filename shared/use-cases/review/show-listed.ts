import type { ListedVersion } from '../../api/schemas/listed.ts';
import type { PackageListItem } from '../../api/schemas/package.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { formatTools } from '../../domain/vulnerabilities/scan-source.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import { findEvidenceVersion } from './evidence-version.ts';
import { type ApprovalRules, weighVersion } from './judge-version.ts';

/** When its scans last said something: later ones that found the same confirm what is known. */
const findLastScan = ({ sources }: ReviewState): string =>
  sources
    .map(({ scan_date, confirmed_at }) => confirmed_at ?? scan_date)
    .reduce((last, at) => (at > last ? at : last), '');

/** The tools whose scans count, and the tokens that they were sent with. */
const listTools = ({ sources }: ReviewState): NonNullable<ListedVersion['scan']>['tools'] =>
  sources.map(({ tools, label, number, scan_date }) => ({
    tool: formatTools(tools),
    ...{ label, number, scan_date },
  }));

/** Of a version whose head is lost: it is listed all the same, and nobody can decide on it. */
const lost = {
  ...{ submitted_at: null, submitted_by: null, submitted_token_label: null, license_status: null },
  effective_license: null,
  ...{ scan: null, objections: [], evidence_version: null, expires_at: null },
};

const showOne = (
  item: PackageListItem,
  head: ReviewState,
  { licenseOf, rules, now }: { licenseOf: LicenseLookup; rules: ApprovalRules; now: Date },
): ListedVersion => {
  const license = licenseOf(head);
  const judgement = weighVersion(head, license, rules, now);
  const { evidence, objections } = judgement;
  const { status, severity } = evidence.picture;
  const { submitted_at, submitted_by, submitter } = head;
  return {
    ...item,
    // The rows of lists follow within minutes where an approval ran out.
    status: statusAt(head, now),
    submitted_at,
    submitted_by,
    submitted_token_label: submitter,
    license_status: license.effective?.status ?? null,
    effective_license: license.effective?.normalized ?? license.effective?.text ?? null,
    scan:
      status === 'missing'
        ? null
        : { status, severity, at: findLastScan(head), tools: listTools(head) },
    objections: [...objections],
    evidence_version: findEvidenceVersion(judgement, now),
    expires_at: head.expires_at,
  };
};

/** Returns list items with what matters for a decision on each, by their heads: for one batch of reads, of their licenses. */
export const showListed = async (
  packages: readonly PackageListItem[],
  heads: ReadonlyMap<string, ReviewState>,
  { rules, now }: { readonly rules: ApprovalRules; readonly now: Date },
): Promise<ListedVersion[]> => {
  const shown = packages.flatMap((item) => heads.get(toVersionKey(item)) ?? []);
  const licenseOf = await findLicenseEvidence(shown);
  return packages.map((item) => {
    const head = heads.get(toVersionKey(item));
    return head ? showOne(item, head, { licenseOf, rules, now }) : { ...item, ...lost };
  });
};
