import type { VersionEvidence } from '../../api/schemas/evidence.ts';
import { showProvenance, toUncheckedProvenance } from '../../domain/facts/provenance.ts';
import type { FactsSummary } from '../../domain/facts/summary.ts';
import { formatPurl } from '../../domain/packages/format-purl.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { listAwaitedByRules, type OwnInquiries } from '../../domain/policy/readiness.ts';
import { findReviewProgress, type ReviewMoment } from '../../domain/policy/review-waits.ts';
import type { Warning } from '../../domain/review/approval.ts';
import { findClaim } from '../../domain/review/claim.ts';
import { showAt, statusAt } from '../../domain/review/expiry.ts';
import { confirmByRescan } from '../../domain/review/rescan-round.ts';
import { toMergedScan } from '../../domain/vulnerabilities/merged-scan.ts';
import { defaultScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { selectVersion } from '../../storage/packages/find-versions.ts';
import { type PackageItem, toDetail } from '../../storage/packages/package-item.ts';
import { findRecord } from '../../storage/reviews/facts-items.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import { findPackageRefresh } from '../../storage/reviews/package-refresh.ts';
import { readRescanRound } from '../../storage/reviews/rescan-round.ts';
import { readReviewFile } from '../../storage/reviews/review-file.ts';
import { isRefreshedWithPackage, type ReviewState } from '../../storage/reviews/review-state.ts';
import { findVersionChanges } from '../../storage/reviews/version-changes-item.ts';
import { findLicenseEvidence } from '../licensing/find-license-evidence.ts';
import { toPackageAnswer } from './answer-package.ts';
import { findEvidenceVersion } from './evidence-version.ts';
import { findEarlierDecisions, listLatestRecords } from './find-earlier-decisions.ts';
import { findUnmetDependencies } from './find-unmet-dependencies.ts';
import { type ApprovalRules, weighVersion } from './judge-version.ts';
import { showAutomatic } from './show-automatic.ts';
import { type ReadFileRules, showFiles } from './show-files.ts';

/** What upstream metadata says about a version. */
interface Upstream extends Pick<VersionEvidence, 'facts' | 'files'> {
  readonly warnings: readonly Warning[];
}

/** Returns when upstream last confirmed the metadata of a version, and the newest version of its package at that time. */
const findLastCheck = async (
  id: PackageItem,
  head: ReviewState,
  { newest_version, checked_at }: FactsSummary,
): Promise<Pick<FactsSummary, 'newest_version' | 'checked_at'>> => {
  const own = { newest_version, checked_at };
  if (!isRefreshedWithPackage(head)) return own;
  const row = await findPackageRefresh(id, { eventual: true });
  if (row?.checked_at === undefined || row.checked_at <= checked_at) return own;
  return { newest_version: row.newest_version ?? null, checked_at: row.checked_at };
};

/**
 * Returns upstream metadata of a version, the files that an approval of it pinned or would pin, and a warning about unmet
 * dependencies, if any.
 */
const showUpstream = async (
  version: PackageItem,
  head: ReviewState,
  { now, readFileRules }: { readonly now: Date; readonly readFileRules: ReadFileRules },
): Promise<Upstream> => {
  const { facts } = head;
  const [known, checked] = await Promise.all([
    facts && findRecord(version, facts.digest),
    facts && findLastCheck(version, head, facts),
  ]);
  const [files, warnings] = await Promise.all([
    showFiles({ ...version, status: statusAt(version, now) }, head, known, readFileRules),
    findUnmetDependencies(version.ecosystem, known?.manifest ?? null, now),
  ]);
  if (!facts || !known || !checked) return { facts: null, files, warnings };
  const provenance = facts.provenance
    ? showProvenance(facts.provenance)
    : toUncheckedProvenance(known.facts.provenance);
  return { facts: { ...known.facts, ...checked, provenance }, files, warnings };
};

/** Returns the recall of a version; null if none is in force. */
const showRecall = (
  { previous }: PackageItem,
  { recall }: ReviewState,
): VersionEvidence['recall'] =>
  recall
    ? {
        ...{ record: recall.record, others: [...(recall.others ?? [])], recalled_at: recall.at },
        approved_at: previous?.at ?? null,
      }
    : null;

/** Returns what rules wait for before they decide on a version, and the rule that a freeze stops. */
const findWaits = (
  { ecosystem }: PackageItem,
  head: ReviewState,
  moment: ReviewMoment,
): Pick<VersionEvidence, 'waits_for' | 'frozen_rule'> => {
  const { rule, waits_for } = findReviewProgress({ ...head, ecosystem }, moment);
  if (waits_for.includes('freeze')) return { waits_for: ['freeze'], frozen_rule: rule };
  const awaited = listAwaitedByRules({ ecosystem, ...head }, moment.inquiries);
  return { waits_for: awaited, frozen_rule: null };
};

/** What the evidence of a version needs to know of the settings. */
interface EvidenceSettings {
  readonly rules: ApprovalRules;
  readonly inquiries: OwnInquiries;
  readonly readFileRules: ReadFileRules;
}

/**
 * Returns the evidence for a decision on a version at a given time: upstream metadata, license, merged scan, decisions on
 * other versions, and issues against an approval.
 * @throws {RegistryError} if the selector matches no version, or more than one
 */
export const showEvidence = async (
  selector: PackageSelector,
  { rules, inquiries, readFileRules }: EvidenceSettings,
  now: Date,
): Promise<VersionEvidence> => {
  const version = await selectVersion(selector);
  const id = { ecosystem: version.ecosystem, name: version.name, version: version.version };
  const [file, round, freeze, changes, records] = await Promise.all([
    readReviewFile(version),
    readRescanRound(),
    readFreeze(),
    findVersionChanges(version),
    listLatestRecords(version),
  ]);
  const { head } = file;
  const scanned = { ...file, sources: confirmByRescan(version, head, round) };
  const [{ warnings, ...upstream }, licenseOf] = await Promise.all([
    showUpstream(version, head, { now, readFileRules }),
    findLicenseEvidence([head]),
  ]);
  const license = licenseOf(head);
  const earlier = await findEarlierDecisions(version, records);
  const judgement = weighVersion(head, license, rules, now);
  const viewpoint = { now, policy: rules.scanPolicy ?? defaultScanPolicy };
  return {
    package: toPackageAnswer(showAt(toDetail(version), now)),
    purl: formatPurl(id),
    changes: changes ? { ...id, ...changes } : null,
    justification: version.justification ?? null,
    automatic: showAutomatic(head),
    batches: [...head.batches],
    claim: findClaim(head, now),
    ...upstream,
    license,
    scan: toMergedScan(version, scanned, viewpoint) ?? null,
    earlier,
    ...findWaits(version, head, { inquiries, freeze }),
    held_by: head.held_by,
    next_evaluation: head.next_evaluation,
    recall: showRecall(version, head),
    issues: [...judgement.issues, ...warnings.map((one) => ({ ...one, blocks: false }))],
    evidence_version: findEvidenceVersion(judgement, now),
  };
};
