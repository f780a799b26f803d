import { findWatchInterval } from '../../domain/facts/refresh-schedule.ts';
import { clearContentChange, findWithdrawal } from '../../domain/facts/summary.ts';
import { choosePinned } from '../../domain/review/choose-pinned.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { renumberVersion } from '../../storage/catalogue/sequence-numbers.ts';
import { moveInCatalogue, SequenceNumberTakenError } from '../../storage/catalogue/writes.ts';
import { addRecord, type RecordFacts } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import type { PackageItem, VersionDetail } from '../../storage/packages/package-item.ts';
import { parseSequenceNumber } from '../../storage/packages/version-keys.ts';
import { makeCommitMarker, updateStatus } from '../../storage/packages/write-version.ts';
import { markVersion } from '../../storage/packs/pack-items.ts';
import {
  type AttentionItem,
  makeAttentionRow,
  moveAttention,
} from '../../storage/reviews/attention.ts';
import { moveExpiry } from '../../storage/reviews/due.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { applyDecision } from '../../storage/reviews/review-state-writes.ts';
import type { ReviewContext } from './review-context.ts';

/** A change of a version's status or decision, with its record. */
export interface StatusChange {
  readonly current: PackageItem;
  readonly head: ReviewState;
  readonly detail: VersionDetail;
  /** Time of the change, ISO 8601; later than all earlier records of the version. */
  readonly at: string;
  /** Attention row after the change; undefined if the version needs no attention. */
  readonly attention?: AttentionItem | undefined;
  /** Recalls of the version after the change; unchanged if absent. */
  readonly recalls?: Partial<Pick<ReviewState, 'recall' | 'accepted_recalls'>>;
  /** Writes of the same transaction, besides those of each change. */
  readonly further?: readonly Write[];
  /** Digest of the upstream metadata to pin; by default, an approval pins the current one. */
  readonly pinned?: string | null;
  /** False if nobody has reviewed what changed upstream since the last decision; true if omitted. */
  readonly isReviewed?: boolean;
  /** Fields of the decision record, except the old and the new status. */
  readonly facts: Omit<RecordFacts, 'from' | 'to'>;
  /** Returns the error after a concurrent change, from the item that is stored then. */
  readonly explain: (stored: PackageItem | undefined) => Error;
}

/** Returns a time after all earlier records of a version, even if the clocks of two functions differ. */
export const findNextMoment = ({ at }: ReviewState, now: Date): string =>
  new Date(Math.max(now.getTime(), Date.parse(at) + 1)).toISOString();

/** Returns the changes upstream that need attention after a decision: none if it has seen all of them. */
const findUnseen = (
  { facts, known_withdrawal }: ReviewState,
  isReviewed: boolean,
): Pick<ReviewState, 'facts' | 'known_withdrawal'> =>
  isReviewed
    ? { facts: clearContentChange(facts), known_withdrawal: findWithdrawal(facts) }
    : { facts, known_withdrawal };

/** Returns the attention row of a version after a decision; undefined if the version needs no attention. */
export const findAttention = (
  {
    current,
    head,
    detail,
    recalls,
    isReviewed = true,
  }: Pick<StatusChange, 'current' | 'head' | 'detail' | 'recalls' | 'isReviewed'>,
  viewpoint: { readonly now: Date; readonly policy: ScanPolicy },
): AttentionItem | undefined => {
  const { status, expires_at } = detail;
  return makeAttentionRow(
    current,
    { ...head, ...recalls, status, expires_at, ...findUnseen(head, isReviewed) },
    viewpoint,
  );
};

/**
 * Returns when the upstream metadata of a version alone is fetched next after a decision. An approval begins to watch a young version
 * for a removal upstream. A version without a refresh of its own is fetched at once, except for a rejection.
 */
const findNextRefresh = (
  { refresh_at, facts }: ReviewState,
  { status }: VersionDetail,
  at: string,
): string | undefined => {
  if (refresh_at === undefined) return status === 'rejected' ? undefined : at;
  const now = new Date(at);
  const watchMs = findWatchInterval(
    { isApproved: status === 'approved', facts, isRemoved: false },
    now,
  );
  if (watchMs === undefined) return refresh_at;
  const next = new Date(now.getTime() + watchMs).toISOString();
  return next < refresh_at ? next : refresh_at;
};

const listWrites = (
  {
    current,
    head,
    detail,
    at,
    attention,
    recalls,
    further = [],
    isReviewed = true,
    facts,
    explain,
    ...change
  }: StatusChange,
  { actor, catalogue, remember }: ReviewContext,
  writeId: string,
): Write[] => {
  const revision = current.revision + 1;
  const sequence = parseSequenceNumber(current.sequence);
  const { pinned: chosen = choosePinned(current, head.facts) } = change;
  const pinned = detail.status === 'approved' ? chosen : null;
  const refresh_at = findNextRefresh(head, detail, at);
  return [
    ...remember(detail),
    updateStatus(current, { detail, pinned, writeId }, explain),
    addRecord(
      detail,
      {
        ...facts,
        ...{ from: current.status, to: detail.status },
        ...(chosen !== null && detail.status !== 'pending' && { pinned: chosen }),
      },
      { actor, at },
    ),
    applyDecision(head, {
      ...{ detail, pinned, revision, at },
      ...{ attention: attention?.k ?? null, refresh_at, ...recalls },
      ...findUnseen(head, isReviewed),
    }),
    ...moveAttention(head.attention, attention),
    ...moveExpiry(current, detail, revision),
    ...([current.status, detail.status].includes('approved')
      ? markVersion(current, { revision, pinned })
      : []),
    ...(current.status === detail.status
      ? []
      : moveInCatalogue({ before: current, after: detail }, sequence, catalogue)),
    ...further,
  ];
};

/**
 * Writes a change of status to all tables and lists in one transaction.
 * @throws {SequenceNumberTakenError} if another version had the same sequence number; this version then has a new one
 */
export const changeStatus = async (change: StatusChange, context: ReviewContext): Promise<void> => {
  const { current } = change;
  const commitMarker = makeCommitMarker(current);
  try {
    await transact(
      () => listWrites(change, context, commitMarker.writeId),
      context.deadline,
      commitMarker,
    );
  } catch (error) {
    // The integrity check would repair this too, but a reviewer should not have to wait for it.
    if (error instanceof SequenceNumberTakenError) await renumberVersion(current, context);
    throw error;
  }
};
