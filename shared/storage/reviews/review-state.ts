import type { PackageDetail } from '../../api/schemas/package.ts';
import { type FactsSummary, noWithdrawal, type Withdrawal } from '../../domain/facts/summary.ts';
import type { StoredNormalization } from '../../domain/licenses/normalization.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { NextEvaluation } from '../../domain/policy/next-evaluation.ts';
import { findDecidingRule } from '../../domain/policy/rule.ts';
import type { Recall } from '../../domain/recalls/recall.ts';
import type { AutomaticSubmission } from '../../domain/review/automatic-submission.ts';
import type { Status } from '../../domain/review/status.ts';
import type { ScanSummary } from '../../domain/vulnerabilities/scan-summary.ts';
import { type BatchOptions, batchGet, getItem, type ReadOptions } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import type { PackageItem, VersionDetail } from '../packages/package-item.ts';

/** Status fields that are copied from a version, and written with it. */
interface ReviewStatus {
  /** Name and version as submitted; absent if they equal those of the key, which has them normalized. */
  readonly spelling?: Pick<PackageId, 'name' | 'version'>;
  readonly status: Status;
  /** ISO 8601. */
  readonly submitted_at: string;
  readonly submitted_by: string | null;
  /** Number of decisions on the version. */
  readonly revision: number;
  /** Time of the approval of an image, ISO 8601; null without one. Absent for files, and in items of earlier releases. */
  readonly approved_at?: string | null;
  readonly expires_at: string | null;
  readonly license: string | null;
  /** Normalization of the submitted license. */
  readonly normalization?: StoredNormalization;
  readonly reason: string | null;
  /** Digest of the facts that package managers receive; null if they receive none. */
  readonly pinned: string | null;
  /** Name of the policy rule that decided; null for a decision by a person, and before a decision. */
  readonly rule: string | null;
}

/**
 * Review state of a version: its status, and a summary of its evidence. It is one item that one read returns, while
 * the version itself is copied to four indexes.
 */
export interface ReviewState extends ReviewStatus, ScanSummary {
  /**
   * Time of the last submission, decision or expiry, ISO 8601. Each record of the version is later than the one before.
   */
  readonly at: string;
  /** Number of changes of the evidence: the optimistic lock of a decision, which is retried if it changed. */
  readonly evidence_revision: number;
  /** Number of scans, which is the number of the latest. */
  readonly latest_scan_number: number;
  /** Key of the version's attention row; null if there is none. */
  readonly attention: string | null;
  /** Summary of the upstream metadata; null before the first fetch. */
  readonly facts: FactsSummary | null;
  /** Normalization of the license statement of `facts`. */
  readonly upstream_normalization?: StoredNormalization;
  /**
   * Time of the next refresh of the version alone, ISO 8601. Absent for an approved version that is refreshed with its package,
   * and for a rejected one.
   */
  readonly refresh_at?: string | undefined;
  /** Part of the index of refreshes; absent without a refresh of its own. */
  readonly refresh_in?: string | undefined;
  /** Number of consecutive refreshes that failed with a temporary error; absent for none. */
  readonly refresh_failures?: number;
  /** Withdrawal (yanked or deprecated) that was known at the current decision. */
  readonly known_withdrawal: Withdrawal;
  /** Value of `evidence_revision` at the last policy evaluation; null before the first, and on request. */
  readonly evaluated_revision: number | null;
  /** Policy rule that requires a manual review; null if there is none. */
  readonly held_by: string | null;
  /** Next policy evaluation without new evidence; null if none is needed. */
  readonly next_evaluation: NextEvaluation | null;
  /** Policy rule that would have approved the version at its last evaluation, but for a freeze; absent or null for none. */
  readonly frozen_rule?: string | null;
  /** Label of the token of the submission, copied from the version. */
  readonly submitter: string | null;
  /** Recall in force; absent or null if there is none. */
  readonly recall?: Recall | null;
  /** Records of malware that a person accepted for this version: they never recall it again. */
  readonly accepted_recalls?: readonly string[];
  /** Batches that request the version, at most `maxBatches`: the one of the submission, and those that joined later. */
  readonly batches: readonly string[];
  /** Who looks at the version, and until when (ISO 8601); absent or null if nobody does. It is no evidence. */
  readonly claim?: { readonly by: string | null; readonly until: string } | null;
  /** Why the registry submitted the version itself; absent if a request of the API submitted it. */
  readonly automatic?: AutomaticSubmission;
}

export const reviewStatesTable = defineTable<ReviewState>('reviews');
const keyedReviewStatesTable = defineTable<ReviewState & { readonly v: string }>('reviews');

/**
 * Sort key of a version's review state. It sorts before the keys of the version's other items (`mark#`, `scan#`, `synced`), so
 * that one query reads them all.
 */
export const reviewStateKey = 'head';

export const toReviewStateKey = (id: PackageId) => ({ v: toVersionKey(id), k: reviewStateKey });

/** Error of a version without a review state. Its evidence is unknown, so that no decision is possible. */
export class ReviewStateMissingError extends Error {
  override readonly name = 'ReviewStateMissingError';

  constructor(id: PackageId) {
    super(`${formatPackage(id)} has no review state in the table reviews: run the integrity check`);
  }
}

/** True if a stored review state has its required fields: an item may be damaged. */
export const isWhole = ({ status, sources, batches }: ReviewState): boolean =>
  Boolean(status) && Array.isArray(sources) && Array.isArray(batches);

/** True if a review state is complete, and its version has no scan. */
export const isUnscanned = (head: ReviewState): boolean =>
  isWhole(head) && head.latest_scan_number === 0 && head.sources.length === 0;

/** True if the upstream metadata of a version is refreshed with its package, and not alone. */
export const isRefreshedWithPackage = ({
  status,
  refresh_at,
}: Partial<Pick<ReviewState, 'status' | 'refresh_at'>>): boolean =>
  status === 'approved' && refresh_at === undefined;

/** Returns the review state of a version; undefined if it is missing or damaged. */
export const findReviewState = async (
  id: PackageId,
  options: ReadOptions = {},
): Promise<ReviewState | undefined> => {
  const head = await getItem(reviewStatesTable, toReviewStateKey(id), options);
  return head && isWhole(head) ? head : undefined;
};

/** Review states of many versions, by version key. */
interface StoredReviewStates {
  readonly heads: ReadonlyMap<string, ReviewState>;
  /** Keys of versions with a damaged review state: the registry has them, but does not know their status. */
  readonly damaged: ReadonlySet<string>;
}

/** Returns the review states of many versions, and the versions with a damaged one. */
export const findStoredReviewStates = async (
  ids: readonly PackageId[],
  options: BatchOptions = {},
): Promise<StoredReviewStates> => {
  const stored = await batchGet(keyedReviewStatesTable, ids.map(toReviewStateKey), options);
  return {
    heads: new Map(stored.filter(isWhole).map((head) => [head.v, head])),
    damaged: new Set(stored.filter((head) => !isWhole(head)).map(({ v }) => v)),
  };
};

/** Returns the review states of many versions by version key, without missing or damaged ones. */
export const findReviewStates = async (
  ids: readonly PackageId[],
  options: BatchOptions = {},
): Promise<ReadonlyMap<string, ReviewState>> => (await findStoredReviewStates(ids, options)).heads;

/**
 * Returns the review state of a version.
 * @throws {ReviewStateMissingError} if the review state is missing or damaged
 */
export const readReviewState = async (id: PackageId): Promise<ReviewState> => {
  const head = await findReviewState(id);
  if (!head) throw new ReviewStateMissingError(id);
  return head;
};

const findRule = (detail: PackageDetail): string | null => {
  const approval = { by: detail.approved_by, token_label: detail.approved_token_label };
  const rejection = { by: detail.rejected_by, token_label: detail.rejected_token_label };
  return findDecidingRule(detail.status === 'rejected' ? rejection : approval);
};

/** Returns the spelling of a version, unless its key has it. */
const findSpelling = ({ ecosystem, name, version }: PackageId): Pick<ReviewStatus, 'spelling'> => {
  const isOfKey = toVersionKey({ ecosystem, name, version }) === `${ecosystem}#${name}#${version}`;
  return isOfKey ? {} : { spelling: { name, version } };
};

/** Returns the status fields of a review state. */
export const toReviewStatus = (
  detail: VersionDetail & Pick<PackageItem, 'pinned'>,
  revision: number,
): ReviewStatus => {
  const { status, submitted_at, submitted_by, expires_at, license, reason, pinned = null } = detail;
  const { normalization } = detail;
  return {
    ...findSpelling(detail),
    ...{ status, submitted_at, submitted_by, revision },
    ...{ expires_at, license, reason, pinned },
    ...(normalization !== undefined && { normalization }),
    ...(detail.ecosystem === 'docker' && { approved_at: detail.approved_at }),
    rule: findRule(detail),
  };
};

/** Fields of a review state before the first upstream fetch and the first policy evaluation. */
export const notEvaluated = {
  facts: null,
  known_withdrawal: noWithdrawal,
  evaluated_revision: null,
  held_by: null,
  next_evaluation: null,
} as const satisfies Partial<ReviewState>;
