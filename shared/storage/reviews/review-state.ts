import type { PackageDetail } from '../../api/schemas/package.ts';
import {
  clearRepublished,
  type FactsSummary,
  findWithdrawal,
  noWithdrawal,
  type Withdrawal,
} from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Status } from '../../domain/review/status.ts';
import type { ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import { type ScanSummary, unscanned } from '../../domain/vulnerabilities/scan-summary.ts';
import { batchGet, getItem, type ReadOptions } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import {
  type Guard,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import type { PackageItem } from '../packages/package-item.ts';

/** What follows from a version, and is written with it. */
interface ReviewStatus {
  readonly status: Status;
  /** ISO 8601. */
  readonly submitted_at: string;
  readonly submitted_by: string | null;
  /** As often as the version was decided. */
  readonly revision: number;
  readonly expires_at: string | null;
  readonly license: string | null;
  readonly reason: string | null;
  /** The digest of the facts that package managers are served by; null where they are not. */
  readonly pinned: string | null;
}

/**
 * The short of a version that reviews work with: where it stands, and what is known for and against it. One item of one
 * read, where the version itself stands in four indexes.
 */
export interface ReviewState extends ReviewStatus, ScanSummary {
  /** When the version was last submitted, decided or expired, ISO 8601: each record of it is later than the one before. */
  readonly at: string;
  /** Counts what became known: a decision is made on what was seen, or again. */
  readonly evidence_revision: number;
  /** How many scans there are: the number of the newest. */
  readonly latest_scan_number: number;
  /** The key of its row among what needs attention; null where it has none. */
  readonly attention: string | null;
  /** What its origin says; null where that was not asked yet. */
  readonly facts: FactsSummary | null;
  /** When that is to be asked next, ISO 8601: the time of its row among those to be asked. */
  readonly refresh_at: string;
  /** How often in a row it could not be asked for reasons that may pass; absent: never. */
  readonly refresh_failures?: number;
  /** What the decision in force knew that the publisher had taken back, or advises against. */
  readonly known_withdrawal: Withdrawal;
  /** At which count of what became known the policy looked at it last; null where it never did. */
  readonly evaluated_revision: number | null;
  /** The rule of the policy that leaves it to a person; null where none does. */
  readonly held_by: string | null;
  /** When the policy looks at it again though nothing became known, ISO 8601; null where it need not. */
  readonly evaluate_at: string | null;
  /** The label of the token that it was submitted with, as the version says. */
  readonly submitter: string | null;
}

export const reviewStatesTable = defineTable<ReviewState>('reviews');
const keyedReviewStatesTable = defineTable<ReviewState & { readonly v: string }>('reviews');

/**
 * Sort key of a version's review state. It sorts before the keys of the version's other items (`mark#`, `slot#`, `told`), so
 * that one query reads them all.
 */
export const reviewStateKey = 'head';

export const toReviewStateKey = (id: PackageId) => ({ v: toVersionKey(id), k: reviewStateKey });

/** A version without its head: nothing is known of what stands for or against it, so nobody can decide on it. */
export class ReviewStateMissingError extends Error {
  override readonly name = 'ReviewStateMissingError';

  constructor({ ecosystem, name, version }: PackageId) {
    super(
      `${ecosystem} package ${name} ${version} has no review state in the table reviews: run the integrity check`,
    );
  }
}

/** Whether what was read says what every head says: an item may have been damaged. */
export const isWhole = ({ status, sources }: ReviewState): boolean =>
  Boolean(status) && Array.isArray(sources);

/** Whether a head says of its version where it stands, and that it was never scanned. */
export const isUnscanned = (head: ReviewState): boolean =>
  isWhole(head) && head.latest_scan_number === 0 && head.sources.length === 0;

/** The head of a version; undefined where it is not there, or not whole. */
export const findReviewState = async (
  id: PackageId,
  options: ReadOptions = {},
): Promise<ReviewState | undefined> => {
  const head = await getItem(reviewStatesTable, toReviewStateKey(id), options);
  return head && isWhole(head) ? head : undefined;
};

/** The heads of many versions, by the versions' keys; without those that are not there, or not whole. */
export const findReviewStates = async (
  ids: readonly PackageId[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<string, ReviewState>> => {
  const stored = await batchGet(keyedReviewStatesTable, ids.map(toReviewStateKey), options);
  return new Map(stored.filter(isWhole).map((head) => [head.v, head]));
};

/** @throws {ReviewStateMissingError} where it is not there, or not whole */
export const readReviewState = async (id: PackageId): Promise<ReviewState> => {
  const head = await findReviewState(id);
  if (!head) throw new ReviewStateMissingError(id);
  return head;
};

/** What a head says of where its version stands. */
export const toReviewStatus = (
  {
    status,
    submitted_at,
    submitted_by,
    expires_at,
    license,
    reason,
    pinned = null,
  }: PackageDetail & Pick<PackageItem, 'pinned'>,
  revision: number,
): ReviewStatus => ({
  ...{ status, submitted_at, submitted_by, revision },
  ...{ expires_at, license, reason, pinned },
});

/** What a head says of a version of which neither its origin nor the policy was asked. */
export const notEvaluated = {
  facts: null,
  known_withdrawal: noWithdrawal,
  evaluated_revision: null,
  held_by: null,
  evaluate_at: null,
} as const satisfies Partial<ReviewState>;

/** The head of a version that was just submitted. */
export const putNewReviewState = (
  detail: PackageDetail,
  { asksAt }: { readonly asksAt: string },
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
    refresh_at: asksAt,
    submitter: detail.submitted_token_label,
  });

/** More became known of a version than a decision had seen. */
export class EvidenceChangedError extends Error {
  override readonly name = 'EvidenceChangedError';
}

/** Holds while nothing more became known, nobody decided, and these fields did not change, since a head was read. */
const ifEvidenceUnchanged = (
  head: ReviewState,
  fields: readonly (keyof ReviewState)[] = [],
): Guard<ReviewState> => ({
  ...ifUnchanged(head, ['evidence_revision', 'revision', ...fields]),
  refuse: () => new EvidenceChangedError('Something more became known meanwhile'),
});

/** Follows a change of where the version stands, unless more became known than the head that was seen says. */
export const applyDecision = (
  seen: ReviewState,
  {
    detail,
    pinned,
    revision,
    at,
    attention,
  }: {
    readonly detail: PackageDetail;
    readonly pinned: string | null;
    readonly revision: number;
    readonly at: string;
    readonly attention: string | null;
  },
): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(detail), {
    change: setFields({
      ...toReviewStatus({ ...detail, pinned }, revision),
      ...{ at, attention, facts: clearRepublished(seen.facts) },
      known_withdrawal: findWithdrawal(seen.facts),
      // Rules look at what is pending.
      ...{ held_by: null, evaluate_at: null },
    }),
    guard: ifEvidenceUnchanged(seen),
  });

/** What of a head follows from scans, and what was accepted. */
type ScanFields = ScanSummary & Pick<ReviewState, 'at' | 'latest_scan_number' | 'attention'>;

/** What its origin says, and when that is asked again. */
export type OriginFields = Pick<ReviewState, 'facts' | 'refresh_at' | 'refresh_failures'> & {
  /** The facts that package managers are served by from now on; as before, if not given. */
  readonly pinned?: string;
};

/**
 * Follows what became known, unless something else did meanwhile, or somebody decided: whoever is about to looks again.
 * What the origin says is left as it is, if it is not given: when it is asked changes without anything becoming known.
 */
export const applyEvidence = (
  id: PackageId,
  seen: ReviewState,
  fields: ScanFields,
  origin?: OriginFields,
): Write => {
  const { sources, counts, accepted, at, latest_scan_number, attention } = fields;
  return updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: setFields({
      ...{ sources, counts, accepted, at, latest_scan_number, attention },
      ...origin,
      evidence_revision: seen.evidence_revision + 1,
    }),
    guard: ifEvidenceUnchanged(seen, origin ? ['refresh_at'] : []),
  });
};

/** Notes when the origin was asked, and is asked again: nothing else follows where it said what it had said before. */
export const scheduleRefresh = (
  id: PackageId,
  seen: Pick<ReviewState, 'refresh_at'>,
  fields: Pick<ReviewState, 'refresh_at'> &
    Partial<Pick<ReviewState, 'facts' | 'refresh_failures'>>,
): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: setFields({ ...fields }),
    guard: {
      ...ifUnchanged(seen, ['refresh_at']),
      refuse: () => new EvidenceChangedError('The origin was asked meanwhile'),
    },
  });

/** Notes that a scan found what was known: nothing follows from it but when that was. */
export const confirmScanSources = (
  id: PackageId,
  seen: ReviewState,
  sources: readonly ScanSource[],
): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: setFields({ sources }),
    guard: ifEvidenceUnchanged(seen),
  });

/** Notes what the policy made of a version that it left as it is, unless that moved meanwhile. */
export const saveEvaluation = (
  id: PackageId,
  seen: ReviewState,
  fields: Pick<ReviewState, 'held_by' | 'evaluate_at'>,
): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: setFields({ ...fields, evaluated_revision: seen.evidence_revision }),
    guard: ifEvidenceUnchanged(seen),
  });

/** Has the policy look at a version again, unless it did meanwhile. */
export const requestEvaluation = (id: PackageId, seen: ReviewState): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: setFields({ evaluated_revision: null, evaluate_at: null }),
    guard: {
      ...ifUnchanged(seen, ['evaluate_at', 'revision']),
      refuse: () => new EvidenceChangedError('The policy looked at it meanwhile'),
    },
  });
