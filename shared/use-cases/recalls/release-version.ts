import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { listRecallRecords, type Recall } from '../../domain/recalls/recall.ts';
import { registryActor } from '../../domain/tokens/registry-actor.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import {
  type PackageItem,
  toDetail,
  type VersionDetail,
} from '../../storage/packages/package-item.ts';
import { findVersion, VersionChangedError } from '../../storage/packages/write-version.ts';
import { endRecall, endRecord, findReason, nameRecord } from '../../storage/recalls/recall-rows.ts';
import { makeAttentionRow, moveAttention } from '../../storage/reviews/attention.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { saveRecall } from '../../storage/reviews/review-state-writes.ts';
import { logEvent } from '../../util/log.ts';
import { changeStatus, findAttention, findNextMoment } from '../review/change-status.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';
import { asRegistry } from '../review/review-context.ts';
import type { RecallContext } from './recall-version.ts';

/** Outcome for one version: `kept` if another record still recalls it, `moot` if the record does not recall it now. */
export type ReleaseOutcome = 'released' | 'kept' | 'moot';

/** Ends one of several records of a recall, which stays in force. */
const endOneRecord = async (
  current: PackageItem,
  { head, recall, record }: { head: ReviewState; recall: Recall; record: string },
  { now, deadline, scanPolicy: policy }: RecallContext,
): Promise<ReleaseOutcome> => {
  const { at } = recall;
  const [next = record, ...others] = listRecallRecords(recall).filter((one) => one !== record);
  const kept = { ...recall, record: next, others };
  const named = { id: current, recall: { record: next, at } };
  const reason = await findReason(named);
  await transact(
    [
      saveRecall(current, head, kept),
      ...moveAttention(
        head.attention,
        makeAttentionRow(current, { ...head, recall: kept }, { now, policy }),
      ),
      nameRecord(named, reason),
      endRecord({ id: current, recall: { record, at } }, now.toISOString()),
    ],
    deadline,
  );
  return 'kept';
};

const releaseOnce = async (
  id: PackageId,
  { record, reason }: { readonly record: string; readonly reason: string },
  context: RecallContext,
): Promise<ReleaseOutcome> => {
  const { now } = context;
  const current = await findVersion(id);
  if (current?.status !== 'rejected') return 'moot';
  const head = await readReviewState(current);
  const { recall } = head;
  const { previous } = current;
  const records = listRecallRecords(recall);
  // A person who decided since then has replaced the recall.
  if (!recall || !records.includes(record) || previous?.status !== 'approved') return 'moot';
  if (records.length > 1) return endOneRecord(current, { head, recall, record }, context);
  const at = findNextMoment(head, now);
  const { expires_at, pinned } = recall;
  const [recalls, isReviewed] = [{ recall: null }, false];
  const detail: VersionDetail = {
    ...toDetail(current),
    ...{ status: 'approved', reason: previous.reason, expires_at, previous: null },
    approved_by: previous.by,
    approved_token_label: previous.token_label,
    approved_at: previous.at,
    ...{ rejected_by: null, rejected_token_label: null, rejected_at: null },
  };
  await changeStatus(
    {
      ...{ current, head, detail, at, pinned, isReviewed },
      attention: findAttention(
        { current, head, detail, isReviewed, recalls },
        { now, policy: context.scanPolicy },
      ),
      facts: { type: 'package.released', by: registryActor, reason, recall: record, expires_at },
      recalls,
      further: endRecall({ id: current, recall }, at),
      explain: () => new VersionChangedError(current),
    },
    asRegistry(context),
  );
  logEvent('warn', 'recall_ended', { package: formatPackage(current), record });
  return 'released';
};

/**
 * Ends the recall of a version: approves it again with its earlier expiry and the same files, unless a person has decided since.
 * A repeated call changes nothing.
 */
export const releaseVersion = (
  id: PackageId,
  end: { readonly record: string; readonly reason: string },
  context: RecallContext,
): Promise<ReleaseOutcome> => retryOnConflict(() => releaseOnce(id, end, context));
