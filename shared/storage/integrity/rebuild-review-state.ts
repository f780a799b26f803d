import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import { listEntries, summarize } from '../../domain/vulnerabilities/scan-summary.ts';
import { listRecords } from '../decisions/records.ts';
import { checkItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { type AttentionItem, makeAttentionRow, moveAttention } from '../reviews/attention.ts';
import { toRefreshFields } from '../reviews/due-refreshes.ts';
import { makePolicyRow, policyDueTable } from '../reviews/policy-due.ts';
import { deleteFindings, putFindings } from '../reviews/review-file.ts';
import {
  notEvaluated,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
  toReviewStatus,
} from '../reviews/review-state.ts';
import { type CheckContext, pickVersionKey, transactIfUnchanged } from './check.ts';
import type { RebuiltSources } from './rebuild-scan-sources.ts';
import type { StateEvidence } from './state-evidence.ts';

/** Review states that follow from versions and their evidence. */

/** True if the upstream metadata of a version is refreshed: alone, or with its package. A rejected version needs no refresh. */
export const isScheduled = (
  id: PackageId,
  { status, refresh_at, refresh_in }: Partial<ReviewState>,
  hasPackageRow: boolean,
): boolean => {
  if (refresh_at !== undefined) return refresh_in === toRefreshFields(id, refresh_at).refresh_in;
  return refresh_in === undefined && (status === 'rejected' || hasPackageRow);
};

/** The fields of a review state that no other item has. */
type OwnFields = Pick<
  ReviewState,
  'facts' | 'known_withdrawal' | 'evaluated_revision' | 'held_by' | 'next_evaluation'
>;

const pickOwnFields = (state: OwnFields): OwnFields => {
  const { facts, known_withdrawal, evaluated_revision, held_by, next_evaluation } = state;
  return { facts, known_withdrawal, evaluated_revision, held_by, next_evaluation };
};

export const hasOwnFields = (state: OwnFields): boolean =>
  Object.values(pickOwnFields(state)).every((field) => field !== undefined);

/** Returns the optional fields of a review state that no other item has. */
const pickOptionalFields = ({
  recall,
  accepted_recalls,
  claim,
  frozen_rule,
  upstream_normalization,
}: Partial<ReviewState> = {}) => ({
  ...(upstream_normalization !== undefined && { upstream_normalization }),
  ...(typeof frozen_rule === 'string' && { frozen_rule }),
  ...(claim !== undefined && { claim }),
  ...(recall !== undefined && { recall }),
  ...(Array.isArray(accepted_recalls) && { accepted_recalls }),
});

/** Returns the batches that a version itself knows: the one of its submission. */
const listBatches = ({ batch }: PackageItem): readonly string[] =>
  batch === undefined ? [] : [batch];

/** True if the batches of a review state begin with the one of the submission. Others may have joined. */
export const hasBatches = (
  version: PackageItem,
  batches: unknown,
): batches is readonly string[] => {
  const own = listBatches(version);
  return Array.isArray(batches) && isDeepStrictEqual(batches.slice(0, own.length), own);
};

/** Returns the last time at which a version was submitted or decided, as far as the version itself shows. */
export const findLastMoment = (version: PackageItem): string => {
  const { submitted_at, approved_at, rejected_at, previous } = version;
  return approved_at ?? rejected_at ?? previous?.at ?? submitted_at;
};

/** Returns the attention row that a review state must have, if any. */
export const expectAttention = (
  version: PackageItem,
  state: ReviewState,
  { now, scanPolicy }: CheckContext,
): AttentionItem | undefined => makeAttentionRow(version, state, { now, policy: scanPolicy });

/**
 * Returns the condition that no evidence arrived, no policy ran and nobody claimed the review since the read. All other changes
 * of a review state change its version, too.
 */
const isStateAsSeen = (state: ReviewState | undefined) =>
  ifUnchanged(state, [
    'v',
    'evidence_revision',
    'refresh_at',
    'evaluated_revision',
    'next_evaluation',
    'claim',
  ]);

/** Returns the rebuilt scan sources, with the fields that the review state alone knows. */
export const restoreSources = (
  rebuilt: RebuiltSources,
  state: ReviewState | undefined,
): ScanSource[] => {
  const known = Array.isArray(state?.sources) ? state.sources : [];
  return rebuilt.sources.map((source) => {
    const before = known.find(({ id, number }) => id === source.id && number === source.number);
    const { confirmed_at, failures } = before ?? source;
    return { ...source, confirmed_at: confirmed_at ?? source.confirmed_at, failures };
  });
};

/** Items that the check of one review state has read, and the scan sources rebuilt from all scans. */
interface StateRead {
  readonly version: PackageItem;
  readonly evidence: StateEvidence;
  readonly rebuilt: RebuiltSources;
}

/** Returns when the upstream metadata of a version alone is refreshed next; at once, if nothing else refreshes it. */
const findRefreshTime = (
  { status, ...id }: PackageItem,
  { file: { head }, hasPackageRow }: StateEvidence,
  now: Date,
): string | undefined => {
  if (typeof head?.refresh_at === 'string') return head.refresh_at;
  const isKept = head && isScheduled(id, { status }, hasPackageRow);
  return isKept ? undefined : now.toISOString();
};

/** Returns the review state that follows from all evidence. */
const rebuildState = async (
  { version, evidence, rebuilt }: StateRead,
  { now }: CheckContext,
): Promise<ReviewState> => {
  const { head: state, acceptances } = evidence.file;
  const [record] = await listRecords(version, { count: 1 });
  const last = findLastMoment(version);
  const sources = restoreSources(rebuilt, state);
  const entries = listEntries({ sources, findings: rebuilt.findings, acceptances });
  return {
    ...toReviewStatus(version, version.revision),
    ...summarize(sources, entries, now),
    // Each record is later than the one before, also if a restore of the version has undone its decision.
    at: record && record.at > last ? record.at : last,
    // A concurrent decision must read the new state first.
    evidence_revision:
      (typeof state?.evidence_revision === 'number' ? state.evidence_revision : 0) + 1,
    latest_scan_number: rebuilt.scans,
    attention: typeof state?.attention === 'string' ? state.attention : null,
    // Lost upstream metadata is fetched again.
    ...notEvaluated,
    ...(state && hasOwnFields(state) && pickOwnFields(state)),
    // As each decision leaves it.
    ...(version.revision > 0 && { claim: null }),
    ...pickOptionalFields(state),
    submitter: version.submitted_token_label,
    ...(version.automatic && { automatic: version.automatic }),
    batches: hasBatches(version, state?.batches) ? state.batches : listBatches(version),
    ...toRefreshFields(version, findRefreshTime(version, evidence, now)),
  };
};

/** Returns the writes that replace the findings of each scan source by the rebuilt ones, and delete all others. */
const replaceFindings = ({ version, evidence, rebuilt }: StateRead): Write[] => {
  const stray = [...evidence.file.findings.keys()].filter((id) => !rebuilt.findings.has(id));
  return [
    ...[...rebuilt.findings].map(([id, found]) => putFindings(version, id, found)),
    ...stray.map((id) => deleteFindings(version, id)),
  ];
};

/** Replaces a review state and its rows. Fails if a concurrent decision or scan changed its version. */
export const replaceState = async (read: StateRead, context: CheckContext): Promise<void> => {
  const { version, evidence } = read;
  const state = await rebuildState(read, context);
  const row = expectAttention(version, state, context);
  const policyRow = makePolicyRow(version, state.next_evaluation);
  const item = { ...toReviewStateKey(version), ...state, attention: row?.k ?? null };
  return transactIfUnchanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(reviewStatesTable, item, isStateAsSeen(evidence.file.head)),
      ...replaceFindings(read),
      ...(policyRow ? [putItem(policyDueTable, policyRow)] : []),
      ...moveAttention(state.attention, row),
    ],
    context.deadline,
  );
};
