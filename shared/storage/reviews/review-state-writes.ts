import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Recall } from '../../domain/recalls/recall.ts';
import type { AutomaticSubmission } from '../../domain/review/automatic-submission.ts';
import type { ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import { type ScanSummary, unscanned } from '../../domain/vulnerabilities/scan-summary.ts';
import {
  type Guard,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import type { SubmissionNote, VersionDetail } from '../packages/package-item.ts';
import { toRefreshFields } from './due-refreshes.ts';
import {
  notEvaluated,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
  toReviewStatus,
} from './review-state.ts';

/** Writes of review states, each guarded by the state that was read. */

/** Returns the write that puts the review state of a new version. */
export const putNewReviewState = (
  detail: VersionDetail,
  {
    asksAt,
    note: { batch, automatic },
  }: { readonly asksAt: string; readonly note: Pick<SubmissionNote, 'batch' | 'automatic'> },
): Write =>
  putItem(reviewStatesTable, {
    ...toReviewStateKey(detail),
    ...toReviewStatus(detail, 0),
    at: detail.submitted_at,
    evidence_revision: 0,
    latest_scan_number: 0,
    ...unscanned,
    attention: null,
    ...notEvaluated,
    ...toRefreshFields(detail, asksAt),
    submitter: detail.submitted_token_label,
    batches: batch === undefined ? [] : [batch],
    ...(automatic && { automatic }),
  });

/** Error of a write that conflicts with newer evidence or a newer decision. */
export class EvidenceChangedError extends Error {
  override readonly name = 'EvidenceChangedError';
}

type Fields = readonly (keyof ReviewState)[];

/** Returns the guard that these fields are unchanged since they were read, and otherwise refuses with a message. */
const ifFieldsUnchanged = (
  seen: Partial<ReviewState>,
  fields: Fields,
  message: string,
): Guard<ReviewState> => ({
  ...ifUnchanged(seen, fields),
  refuse: () => new EvidenceChangedError(message),
});

/** Returns the guard that the evidence, the revision and these fields are unchanged since the review state was read. */
const ifEvidenceUnchanged = (seen: ReviewState, fields: Fields = []): Guard<ReviewState> =>
  ifFieldsUnchanged(
    seen,
    ['evidence_revision', 'revision', ...fields],
    'Something more became known meanwhile',
  );

/** Returns the write that sets fields of a version's review state. */
const updateState = (
  id: PackageId,
  fields: Partial<ReviewState>,
  guard: Guard<ReviewState>,
): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(id), { change: setFields(fields), guard });

/** Returns the write that applies a decision to the review state, if the evidence is unchanged since it was read. */
export const applyDecision = (
  seen: ReviewState,
  {
    detail,
    pinned,
    revision,
    at,
    attention,
    refresh_at,
    ...further
  }: {
    readonly detail: VersionDetail;
    readonly pinned: string | null;
    readonly revision: number;
    readonly at: string;
    readonly attention: string | null;
    readonly refresh_at: string | undefined;
  } & Pick<ReviewState, 'facts' | 'known_withdrawal'> &
    Partial<Pick<ReviewState, 'recall' | 'accepted_recalls'>>,
): Write =>
  updateState(
    detail,
    {
      ...toReviewStatus({ ...detail, pinned }, revision),
      ...further,
      ...{ at, attention, ...toRefreshFields(detail, refresh_at) },
      // The policy evaluates pending versions only.
      ...{ held_by: null, next_evaluation: null },
      ...(seen.frozen_rule && { frozen_rule: null }),
      // A claim causes no conflict, so that one may have come since the read.
      claim: null,
    },
    ifEvidenceUnchanged(seen),
  );

/**
 * Returns the write that changes the records of a recall, if no decision and no other record came in between. A decision at the
 * same moment has not seen the change, and is tried again.
 */
export const saveRecall = (id: PackageId, seen: ReviewState, recall: Recall): Write =>
  updateState(
    id,
    { recall, evidence_revision: seen.evidence_revision + 1 },
    ifFieldsUnchanged(
      seen,
      ['revision', 'evidence_revision', 'recall'],
      'The recall changed in the meantime',
    ),
  );

/** Returns the write that changes why the registry submitted a version, if nobody has decided on it since it was read. */
export const changeReviewCause = (
  id: PackageId,
  seen: ReviewState,
  automatic: AutomaticSubmission,
): Write =>
  updateState(
    id,
    { automatic },
    ifFieldsUnchanged(seen, ['revision'], 'Somebody decided in the meantime'),
  );

/** Fields of a review state that depend on scans and risk acceptances. */
type ScanFields = ScanSummary & Pick<ReviewState, 'at' | 'latest_scan_number' | 'attention'>;

/** Upstream metadata of a version, and its next refresh. */
export type OriginFields = Pick<
  ReviewState,
  'facts' | 'upstream_normalization' | 'refresh_failures'
> & {
  /** Time of the next refresh of the version alone; undefined for none. */
  readonly refresh_at: string | undefined;
  /** Digest of the facts that package managers receive from now on; absent: unchanged. */
  readonly pinned?: string;
};

/**
 * Returns the write that applies new evidence, if evidence and revision are unchanged since the review state was read.
 * A conflicting decision is evaluated again. Without `origin`, the upstream fields stay unchanged, and a refresh in
 * between causes no conflict.
 */
export const applyEvidence = (
  id: PackageId,
  seen: ReviewState,
  fields: ScanFields,
  origin?: OriginFields,
): Write => {
  const { sources, counts, accepted, at, latest_scan_number, attention } = fields;
  return updateState(
    id,
    {
      ...{ sources, counts, accepted, at, latest_scan_number, attention },
      ...origin,
      ...(origin && toRefreshFields(id, origin.refresh_at)),
      evidence_revision: seen.evidence_revision + 1,
    },
    ifEvidenceUnchanged(seen, origin ? ['refresh_at'] : []),
  );
};

/** Summary of a version's upstream metadata, and the next refresh of the version alone, if there is one. */
export type RefreshFields = Pick<OriginFields, 'refresh_at'> &
  Partial<Pick<ReviewState, 'facts' | 'refresh_failures'>>;

/** Returns the write that schedules the next refresh, if no other one and no decision came in between. The evidence does not change. */
export const scheduleRefresh = (
  id: PackageId,
  seen: Pick<ReviewState, 'refresh_at' | 'evidence_revision' | 'revision'>,
  { refresh_at, refresh_failures = 0, ...fields }: RefreshFields,
): Write =>
  updateState(
    id,
    { ...fields, refresh_failures, ...toRefreshFields(id, refresh_at) },
    ifFieldsUnchanged(
      seen,
      ['refresh_at', 'evidence_revision', 'revision'],
      'The upstream metadata was checked in the meantime',
    ),
  );

/** Returns the write that replaces the normalized licenses, if evidence and revision are unchanged. Rules evaluate the version again. */
export const saveNormalization = (
  id: PackageId,
  seen: ReviewState,
  fields: Pick<ReviewState, 'normalization' | 'upstream_normalization'>,
): Write =>
  updateState(
    id,
    { ...fields, evidence_revision: seen.evidence_revision + 1 },
    ifEvidenceUnchanged(seen, ['refresh_at']),
  );

/** Returns the write that makes an approved version due at once, unless it has a refresh of its own. */
export const markForRefresh = (id: PackageId, now: Date): Write =>
  updateState(
    id,
    toRefreshFields(id, now.toISOString()),
    ifFieldsUnchanged(
      { status: 'approved' },
      ['status', 'refresh_at'],
      'The version has another refresh by now',
    ),
  );

/** Returns the write that updates the scan sources after a scan with known findings. The evidence does not change. */
export const confirmScanSources = (
  id: PackageId,
  seen: ReviewState,
  sources: readonly ScanSource[],
): Write => updateState(id, { sources }, ifEvidenceUnchanged(seen));

/** Returns the write that saves an evaluation without a decision, if evidence and revision are unchanged. */
export const saveEvaluation = (
  id: PackageId,
  seen: ReviewState,
  fields: Pick<ReviewState, 'held_by' | 'next_evaluation' | 'frozen_rule'>,
): Write =>
  updateState(
    id,
    { ...fields, evaluated_revision: seen.evidence_revision },
    ifEvidenceUnchanged(seen),
  );

/** Returns the write that requests a new evaluation, if the schedule and the revision are unchanged. */
export const requestEvaluation = (id: PackageId, seen: ReviewState): Write =>
  updateState(
    id,
    { evaluated_revision: null, next_evaluation: null },
    ifFieldsUnchanged(seen, ['next_evaluation', 'revision'], 'The policy looked at it meanwhile'),
  );

/**
 * Returns the write that saves or ends the claim of a review, if nobody has decided or claimed it since the review state was read.
 * The evidence does not change.
 */
export const saveClaim = (
  id: PackageId,
  seen: ReviewState,
  claim: NonNullable<ReviewState['claim']> | null,
): Write =>
  updateState(
    id,
    { claim },
    ifFieldsUnchanged(
      seen,
      ['status', 'revision', 'claim'],
      'Somebody decided or claimed the review in the meantime',
    ),
  );
