import type { ListedVersion } from '../../api/schemas/listed.ts';
import type { PackageListItem } from '../../api/schemas/package.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { OlderUpdates } from '../../domain/review/older-updates.ts';
import { confirmByRescan, type RescanRound } from '../../domain/review/rescan-round.ts';
import { formatTools } from '../../domain/vulnerabilities/scan-source.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import { findEvidenceVersion } from './evidence-version.ts';
import { showUpdates } from './find-pending-updates.ts';
import { type ApprovalRules, weighVersion } from './judge-version.ts';
import { showAutomatic } from './show-automatic.ts';

/** Returns the time of the latest scan of a version, including scans that only confirmed earlier findings. */
const findLastScan = (sources: ReviewState['sources']): string =>
  sources
    .map(({ scan_date, confirmed_at }) => confirmed_at ?? scan_date)
    .reduce((last, at) => (at > last ? at : last), '');

/** Returns the scan sources of a version: each tool with the label of its token. */
const listTools = ({ sources }: ReviewState): NonNullable<ListedVersion['scan']>['tools'] =>
  sources.map(({ tools, label, number, scan_date }) => ({
    tool: formatTools(tools),
    ...{ label, number, scan_date },
  }));

interface ListingContext {
  readonly rules: ApprovalRules;
  /** Updates by the registry of which each has a newer pending one. */
  readonly updates: OlderUpdates;
  /** The last complete rescan. */
  readonly round: RescanRound | undefined;
  readonly now: Date;
}

/** Review fields of a version whose review state is missing. The version is listed, but cannot be decided. */
const lost = {
  ...{ submitted_at: null, submitted_by: null, submitted_token_label: null, license_status: null },
  effective_license: null,
  ...{ scan: null, issues: [], evidence_version: null, expires_at: null },
  ...{ automatic: null, newer_update: null, older_updates: [] },
};

const showOne = (
  item: PackageListItem,
  head: ReviewState,
  { licenseOf, updates, round, rules, now }: ListingContext & { readonly licenseOf: LicenseLookup },
): ListedVersion => {
  const license = licenseOf(head);
  const judgement = weighVersion(head, license, rules, now);
  const { evidence, issues } = judgement;
  const { status, severity } = evidence.merged_scan;
  const { submitted_at, submitted_by, submitter } = head;
  return {
    ...item,
    // List rows of an expired approval are updated only minutes later.
    status: statusAt(head, now),
    submitted_at,
    submitted_by,
    submitted_token_label: submitter,
    license_status: license.effective?.status ?? null,
    effective_license: license.effective?.normalized ?? license.effective?.text ?? null,
    scan:
      status === 'missing'
        ? null
        : {
            status,
            severity,
            at: findLastScan(confirmByRescan(item, head, round)),
            tools: listTools(head),
          },
    issues: [...issues],
    evidence_version: findEvidenceVersion(judgement, now),
    expires_at: head.expires_at,
    automatic: showAutomatic(head),
    ...showUpdates(item, updates),
  };
};

/**
 * Returns list items with the data for a decision on each, from their review states. Costs one batch of reads, for the
 * licenses.
 */
export const showListed = async (
  packages: readonly PackageListItem[],
  heads: ReadonlyMap<string, ReviewState>,
  context: ListingContext,
): Promise<ListedVersion[]> => {
  const shown = packages.flatMap((item) => heads.get(toVersionKey(item)) ?? []);
  const licenseOf = await findLicenseEvidence(shown);
  return packages.map((item) => {
    const head = heads.get(toVersionKey(item));
    return head ? showOne(item, head, { ...context, licenseOf }) : { ...item, ...lost };
  });
};
