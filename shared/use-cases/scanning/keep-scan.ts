import type { PackageId } from '../../domain/packages/package-id.ts';
import { listReported } from '../../domain/review/malware-records.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import type { MergedScan } from '../../domain/vulnerabilities/merged-scan.ts';
import { keepEarlier, type ScanResult } from '../../domain/vulnerabilities/scan-result.ts';
import {
  addToScanSource,
  digestFindings,
  enoughFailures,
  findScanSourceId,
  formatTools,
  isOwn,
  type ScanSource,
  toSender,
} from '../../domain/vulnerabilities/scan-source.ts';
import { makeRoomForSource } from '../../domain/vulnerabilities/scan-source-limits.ts';
import type { RecordFacts, RecordScan } from '../../storage/decisions/records.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { updateAlone } from '../../storage/dynamodb/write-alone.ts';
import { putFoundRecord } from '../../storage/recalls/found-records.ts';
import { deleteFindings, putFindings, type ReviewFile } from '../../storage/reviews/review-file.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { confirmScanSources } from '../../storage/reviews/review-state-writes.ts';
import {
  countScans,
  NumberTakenError,
  putScan,
  type SavedScan,
  showScan,
} from '../../storage/scans/scans.ts';
import { deleteUnscannedRow, putUnscanned } from '../../storage/scans/unscanned.ts';
import {
  changeEvidence,
  type EvidenceChange,
  type EvidenceContext,
} from '../review/change-evidence.ts';

export interface ScanContext extends EvidenceContext {
  /** True if the token may review, not only submit; false if omitted. */
  readonly mayReview?: boolean;
  /** Further writes of the same transaction, such as an idempotency record. */
  readonly remember?: (scan: MergedScan) => readonly Write[];
}

/** Returns writes to the list of versions that the registry must still scan. Uploaded scans never change that list. */
const followList = (id: PackageId, before: ScanSource | undefined, after: ScanSource): Write[] => {
  if (!isOwn(after)) return [];
  if (after.reason !== null) return before && before.reason !== null ? [] : putUnscanned(id);
  return before && before.reason === null ? [] : deleteUnscannedRow(id);
};

/**
 * Returns the writes that hand new records of malware on an approved version to the recalls. They may have handled a record before the
 * approval, or before the first run.
 */
const reportMalware = (
  { ecosystem }: PackageId,
  { status, accepted_recalls = [] }: ReviewState,
  before: ScanSource | undefined,
  after: ScanSource,
): Write[] => {
  if (!isOwn(after) || status !== 'approved') return [];
  const known = [...(before ? listReported(before) : []), ...accepted_recalls];
  return listReported(after, known).map((id) =>
    putFoundRecord({ id, ecosystem, listedAt: after.scan_date }),
  );
};

/**
 * Returns the refresh of the upstream metadata of an approved version that fails its scan from now on: the origin may have a
 * version that fixes it. Empty for other versions.
 */
const refreshVulnerable = (
  { status, facts, refresh_at }: ReviewState,
  source: ScanSource,
  result: ScanResult,
): Pick<EvidenceChange, 'origin'> => {
  // Not the time of the scan: the schedule may have passed that one already.
  const now = new Date().toISOString();
  const isDue = refresh_at !== undefined && refresh_at <= now;
  if (!isOwn(source) || status !== 'approved' || result.status !== 'failed' || isDue) return {};
  return { origin: { facts, refresh_at: now } };
};

/** True if a scan changes its scan source: it is the first, follows a failed one, or has other findings. */
export const isNews = (source: ScanSource | undefined, result: ScanResult): boolean =>
  source === undefined ||
  source.reason !== null ||
  source.finished?.digest !== digestFindings(result.vulnerabilities);

const nameScan = ({ id, tools, label, number }: ScanSource): RecordScan => ({
  ...{ tool: formatTools(tools), label, number, source: id },
});

/** Returns the decision record of a scan source that was replaced by another one. */
const recordReplaced = (
  { status }: ReviewState,
  replaced: ScanSource,
  { tools, label }: ScanSource,
): RecordFacts => ({
  type: 'scan.dismissed',
  by: label,
  from: status,
  to: status,
  reason: `It found nothing, and made place for the scan by ${formatTools(tools)}.`,
  scan: nameScan(replaced),
});

/** Returns the evidence change that saving a scan causes. */
const planScan = (
  id: PackageId,
  { head, findings, acceptances }: ReviewFile,
  kept: SavedScan,
): EvidenceChange => {
  const { number, result, actor, mayReview } = kept;
  const sourceId = findScanSourceId({ tools: result.tools_used, actor });
  const before = head.sources.find((source) => source.id === sourceId);
  const source = addToScanSource(before, {
    id: sourceId,
    sender: toSender(actor, mayReview),
    number,
    result,
  });
  const hasFindings = (one: ScanSource): boolean => (findings.get(one.id) ?? []).length > 0;
  const replaced = makeRoomForSource(id, head.sources, { source: source, hasFindings });
  const isFinished = source.reason === null;
  return {
    after: {
      sources: before
        ? head.sources.map((one) => (one.id === sourceId ? source : one))
        : [...head.sources.filter((one) => one !== replaced), source],
      findings: isFinished ? new Map([...findings, [sourceId, result.vulnerabilities]]) : findings,
      acceptances,
    },
    scans: number,
    writes: [
      putScan(id, kept),
      ...(isFinished ? [putFindings(id, sourceId, result.vulnerabilities)] : []),
      ...(replaced ? [deleteFindings(id, replaced.id)] : []),
      ...followList(id, before, source),
      ...reportMalware(id, head, before, source),
    ],
    scan: nameScan(source),
    ...refreshVulnerable(head, source, result),
    ...(replaced && { facts: recordReplaced(head, replaced, source) }),
  };
};

/** Applies a scan to the evidence of a version, under the next free scan number. */
const changeByScan = async (
  id: PackageId,
  plan: (file: ReviewFile, number: number) => EvidenceChange | undefined,
  context: EvidenceContext,
): Promise<void> => {
  const change = async (known: number): Promise<void> => {
    try {
      await changeEvidence(
        id,
        (file) => plan(file, Math.max(file.head.latest_scan_number, known) + 1),
        context,
      );
    } catch (error) {
      if (!(error instanceof NumberTakenError)) throw error;
      // The review state is stale, so count the scans themselves. Each conflict means one more scan, so the retries end.
      await change(await countScans(id));
    }
  };
  await change(0);
};

/**
 * Saves an uploaded scan as the latest of its scan source, and returns it as API clients see it. Other scan sources stay
 * unchanged, unless an empty one must make room for a new source.
 */
export const saveScan = async (
  id: PackageId,
  result: ScanResult,
  context: ScanContext,
): Promise<MergedScan> => {
  const { actor, mayReview = false, remember = () => [] } = context;
  let kept: MergedScan | undefined;
  const plan = (file: ReviewFile, number: number): EvidenceChange => {
    const earlier = file.findings.get(findScanSourceId({ tools: result.tools_used, actor })) ?? [];
    const whole = keepEarlier(id, result, { earlier, policy: context.policy });
    const scan = { number, result: whole, actor, mayReview };
    kept = showScan(scan);
    const change = planScan(id, file, scan);
    return { ...change, writes: [...remember(kept), ...change.writes] };
  };
  await changeByScan(id, plan, context);
  if (!kept) throw new Error('A scan was neither kept nor refused');
  return kept;
};

/** Saves a scan by the registry itself, unless a concurrent run has already saved the same result. */
export const saveOwnScan = (
  id: PackageId,
  result: ScanResult,
  context: Omit<EvidenceContext, 'actor'>,
): Promise<void> => {
  const isKnown = (source: ScanSource | undefined): boolean =>
    result.status === 'error' ? Boolean(source?.reason) : !isNews(source, result);
  const plan = (file: ReviewFile, number: number): EvidenceChange | undefined =>
    isKnown(file.sources.find(isOwn))
      ? undefined
      : planScan(id, file, { number, result, actor: anonymous, mayReview: false });
  return changeByScan(id, plan, { ...context, actor: anonymous });
};

/** Counts one more failure of the registry's own scan, unless that scan has since finished or the count is at its limit. */
export const countFailure = (
  id: PackageId,
  context: Omit<EvidenceContext, 'actor'>,
): Promise<void> =>
  changeEvidence(
    id,
    ({ head, findings, acceptances }) => {
      const isFailing = (source: ScanSource): boolean =>
        isOwn(source) && source.reason !== null && source.failures < enoughFailures;
      if (!head.sources.some(isFailing)) return undefined;
      const sources = head.sources.map((source) =>
        isFailing(source) ? { ...source, failures: source.failures + 1 } : source,
      );
      return { after: { sources, findings, acceptances }, writes: [] };
    },
    { ...context, actor: anonymous },
  );

/** Saves that a scan found the known findings of a scan source again. Dropped if the version changed concurrently. */
export const confirmScan = (
  id: PackageId,
  head: ReviewState,
  source: ScanSource,
  now: Date,
): Promise<void> =>
  updateAlone(
    confirmScanSources(
      id,
      head,
      head.sources.map((one) =>
        one.id === source.id ? { ...one, confirmed_at: now.toISOString() } : one,
      ),
    ),
  );
