import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  countMinutesSince,
  describeRecall,
  isRecall,
  listRecallRecords,
  type Recall,
  type RecallCause,
  removalRecord,
} from '../../domain/recalls/recall.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { registryActor } from '../../domain/tokens/registry-actor.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { findVersion, VersionChangedError } from '../../storage/packages/write-version.ts';
import { nameRecord, putFurtherRecord, putRecall } from '../../storage/recalls/recall-rows.ts';
import { makeAttentionRow, moveAttention } from '../../storage/reviews/attention.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { saveRecall } from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { changeStatus, findAttention, findNextMoment } from '../review/change-status.ts';
import { toDecidedDetail } from '../review/decide-package.ts';
import { findEvidenceVersion } from '../review/evidence-version.ts';
import { judgeVersion } from '../review/judge-version.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';
import { asRegistry } from '../review/review-context.ts';

export interface RecallContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly catalogue: CatalogueTarget;
  readonly scanPolicy: ScanPolicy;
}

/**
 * Outcome for one version: `noted` if another record recalls it already, `accepted` if a person accepted the record, `moot` if
 * the version is not approved, so that nobody gets it.
 */
export type RecallOutcome = 'recalled' | 'noted' | 'accepted' | 'moot';

/** Most further records of a recall. Real versions have one or two. */
const mostOthers = 20;

/** Returns a recall with a further record. A record of malware replaces a removal upstream as the first one, which people see. */
const addRecallRecord = (recall: Recall, record: string): Recall => {
  const known = listRecallRecords(recall);
  const [first = record, ...others] =
    recall.record === removalRecord ? [record, ...known] : [...known, record];
  return { ...recall, record: first, others };
};

/** Notes a further record of a recalled version: the end of the first one must not release it. */
const noteRecord = async (
  current: PackageItem,
  cause: RecallCause,
  { now, deadline, scanPolicy: policy }: RecallContext,
): Promise<RecallOutcome> => {
  const head = await readReviewState(current);
  const { recall } = head;
  const { record } = cause;
  if (head.accepted_recalls?.includes(record)) return 'accepted';
  if (!recall || listRecallRecords(recall).includes(record)) return 'moot';
  const noted = addRecallRecord(recall, record);
  if ((noted.others ?? []).length > mostOthers) return 'moot';
  const of = { id: current, recall: { record, at: recall.at } };
  const reason = describeRecall(cause);
  await transact(
    [
      saveRecall(current, head, noted),
      putFurtherRecord(of, reason),
      ...(noted.record === record
        ? [
            nameRecord(of, reason),
            ...moveAttention(
              head.attention,
              makeAttentionRow(current, { ...head, recall: noted }, { now, policy }),
            ),
          ]
        : []),
    ],
    deadline,
  );
  return 'noted';
};

const recallOnce = async (
  id: PackageId,
  cause: RecallCause,
  context: RecallContext,
): Promise<RecallOutcome> => {
  const { now, scanPolicy } = context;
  const current = await findVersion(id);
  if (current && isRecall(current)) return noteRecord(current, cause, context);
  if (!current || statusAt(current, now) !== 'approved') return 'moot';
  const judgement = await judgeVersion(current, { scanPolicy }, now);
  const { head, evidence } = judgement;
  const { record } = cause;
  if (head.accepted_recalls?.includes(record)) return 'accepted';
  const at = findNextMoment(head, now);
  const reason = describeRecall(cause);
  const { expires_at, approved_at } = current;
  const recalls = { recall: { record, at, expires_at, pinned: head.pinned } };
  const detail = toDecidedDetail(
    current,
    { to: 'rejected', reason },
    { by: registryActor, token_label: null, at, expires_at: null },
  );
  await changeStatus(
    {
      ...{ current, head, at, detail, recalls, isReviewed: false },
      attention: findAttention({ current, head, detail, recalls }, { now, policy: scanPolicy }),
      facts: {
        ...{ type: 'package.recalled', by: registryActor, reason, recall: record, evidence },
        evidence_version: findEvidenceVersion(judgement, now),
      },
      further: putRecall(
        { id: current, ...recalls },
        { reason, approved_at, is_old: cause.isOld ?? false },
      ),
      explain: () => new VersionChangedError(current),
    },
    asRegistry(context),
  );
  // A run may take minutes, so that its start would be too early.
  const minutes = countMinutesSince(cause.signalAt, new Date());
  logEvent('error', 'package_recalled', { package: formatPackage(current), record, minutes });
  return 'recalled';
};

/**
 * Recalls an approved version: rejects it because of a record of malware or a removal upstream, and keeps the data for a release.
 * After a conflict with another decision, reads the version again. A repeated call changes nothing.
 */
export const recallVersion = (
  id: PackageId,
  cause: RecallCause,
  context: RecallContext,
): Promise<RecallOutcome> => retryOnConflict(() => recallOnce(id, cause, context));
