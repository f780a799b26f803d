import { describeWithdrawal, type FactsSummary } from '../../domain/facts/summary.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { type AttentionReason, unpinnedReason } from '../../domain/review/attention.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import {
  type KnownVulnerabilities,
  listEntries,
  summarize,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { explainFailedScan } from '../../domain/vulnerabilities/severity-counts.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { addRecord, type RecordFacts, type RecordScan } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import {
  type AttentionItem,
  isAttentionDue,
  makeAttentionRow,
  moveAttention,
} from '../../storage/reviews/attention.ts';
import { type ReviewFile, readReviewFile } from '../../storage/reviews/review-file.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { applyEvidence, type OriginFields } from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { findNextMoment } from './change-status.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** A change of a version's evidence. */
export interface EvidenceChange {
  readonly after: KnownVulnerabilities;
  /** New upstream fields; unchanged if omitted. */
  readonly origin?: OriginFields;
  /** New number of the latest scan; unchanged if omitted. */
  readonly scans?: number;
  /** Further writes, besides those to the review state and the attention row. */
  readonly writes: readonly Write[];
  /** Scan that caused the change, if any. */
  readonly scan?: RecordScan;
  /** Decision record of the change itself, if it has one. */
  readonly facts?: RecordFacts;
}

export interface EvidenceContext {
  readonly actor: Actor;
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
}

/** What explains the reasons for attention. */
interface Explanation {
  readonly origin: FactsSummary | null;
  readonly policy: ScanPolicy;
}

const explain = (
  reason: AttentionReason,
  { severity }: AttentionItem,
  { origin, policy, pinned }: Explanation & Pick<ReviewState, 'pinned'>,
): string => {
  if (reason === 'scan_failed') return explainFailedScan(severity, policy);
  if (reason === 'content_changed' && !pinned) return unpinnedReason;
  if (reason === 'content_changed') {
    return 'The upstream files of this version changed since the approval. The gate does not serve the new files. To accept them, reject the version and approve it again.';
  }
  if (reason === 'removed') {
    return 'Its origin does not have this version any more. Malicious versions are often removed upstream: reject it unless you know why.';
  }
  return reason === 'yanked'
    ? describeWithdrawal('yanked it', origin?.yanked)
    : describeWithdrawal('deprecated it', origin?.deprecated);
};

/**
 * Returns the record that an approved version needs attention from now on; none if an earlier record said so. A recall has its
 * own record.
 */
const makeAttentionRecords = (
  head: ReviewState,
  row: AttentionItem | undefined,
  {
    scan,
    at,
    ...explanation
  }: Explanation & {
    readonly scan: RecordScan | undefined;
    readonly at: string;
  },
): RecordFacts[] => {
  // A row that became due after the last record, by an expired acceptance, has no record yet.
  if (!row || row.recall !== undefined) return [];
  if (!isAttentionDue(row.k, at) || isAttentionDue(head.attention, head.at)) return [];
  return [
    {
      type: 'package.attention',
      by: null,
      from: 'approved',
      to: 'approved',
      reason: row.reasons
        .map((reason) => explain(reason, row, { ...explanation, pinned: head.pinned }))
        .join(' '),
      ...(scan && { scan }),
    },
  ];
};

const applyOnce = async (
  id: PackageId,
  plan: (file: ReviewFile) => EvidenceChange | undefined,
  { actor, now, deadline, policy }: EvidenceContext,
): Promise<void> => {
  const file = await readReviewFile(id);
  const change = plan(file);
  if (!change) return;
  const { head } = file;
  const entries = listEntries(change.after);
  const standing = summarize(change.after.sources, entries, now);
  const { facts } = change.origin ?? head;
  const row = makeAttentionRow(id, { ...head, ...standing, facts }, { now, policy });
  const at = findNextMoment(head, now);
  const records = [
    ...(change.facts ? [change.facts] : []),
    ...makeAttentionRecords(head, row, {
      scan: change.scan,
      at: now.toISOString(),
      origin: facts,
      policy,
    }),
  ];
  const moments = records.map((_, place) => new Date(Date.parse(at) + place).toISOString());
  await transact(
    [
      // First in the list, so that a conflict on the version is reported before other failed writes.
      applyEvidence(
        id,
        head,
        {
          ...standing,
          latest_scan_number: change.scans ?? head.latest_scan_number,
          at: moments.at(-1) ?? head.at,
          attention: row?.k ?? null,
        },
        change.origin,
      ),
      ...change.writes,
      ...moveAttention(head.attention, row),
      ...records.map((facts, place) => addRecord(id, facts, { actor, at: moments[place] ?? at })),
    ],
    deadline,
  );
  const needs = records.find(({ type }) => type === 'package.attention');
  if (needs) {
    const { ecosystem, name, version } = id;
    logEvent('warn', 'attention_needed', { ecosystem, name, version, reason: needs.reason });
  }
};

/**
 * Changes the evidence of a version in one transaction, with its review state, attention row and decision records. `plan`
 * runs again after an optimistic-lock conflict, and returns undefined if nothing is to do.
 */
export const changeEvidence = (
  id: PackageId,
  plan: (file: ReviewFile) => EvidenceChange | undefined,
  context: EvidenceContext,
): Promise<void> => retryOnConflict(() => applyOnce(id, plan, context));
