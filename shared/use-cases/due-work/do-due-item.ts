import {
  type AwaitedCheck,
  listOutdated,
  type OwnInquiries,
} from '../../domain/policy/readiness.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { formatMessage } from '../../platform/worker/read-message.ts';
import { chooseTarget } from '../../storage/catalogue/target.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { findVersion } from '../../storage/packages/write-version.ts';
import {
  type AcceptanceDue,
  type DueItem,
  dropDue,
  type ExpiryDue,
} from '../../storage/reviews/due.ts';
import { movePolicyDue, type PolicyDue } from '../../storage/reviews/policy-due.ts';
import { findReviewState, type ReviewState } from '../../storage/reviews/review-state.ts';
import { requestEvaluation, saveEvaluation } from '../../storage/reviews/review-state-writes.ts';
import { AcceptanceOverError, readAcceptance } from '../../storage/vulnerabilities/acceptances.ts';
import type { Deadline } from '../../util/deadline.ts';
import { minuteMs } from '../../util/duration.ts';
import { expirePackage } from '../review/expire-package.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';
import { continueListing } from '../vulnerability-index/continue-listing.ts';
import { expireAcceptance } from '../vulnerability-index/end-acceptance.ts';
import { clearAcceptance, spreadAcceptance } from '../vulnerability-index/spread-acceptance.ts';
import { limitTrial } from '../vulnerability-index/walk.ts';

/** How old evidence is renewed before a rule approves a version. */
export interface EvidenceRenewal {
  readonly inquiries: OwnInquiries;
  /** Sends a version to the queue of an automatic check. */
  readonly send: (check: AwaitedCheck, body: string) => Promise<unknown>;
}

export interface DueContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
  readonly renewal: EvidenceRenewal;
  /** Minimum remaining time to start another row, in milliseconds; later rows wait for the next run. */
  readonly reserveMs: number;
}

/** Returns a version with an expired approval to pending. Deletes the row instead if the expiry date has changed. */
const expireDue = async (row: ExpiryDue, { now, deadline }: DueContext): Promise<void> => {
  const version = await findVersion(row);
  if (version?.expires_at !== row.due_at) return dropDue(row);
  return expirePackage(version, { now, deadline, catalogue: chooseTarget() });
};

/** Expires an acceptance and deletes its due row, unless the acceptance has already ended. */
const endDue = async (row: AcceptanceDue, context: DueContext): Promise<void> => {
  const acceptance = await readAcceptance(row);
  if (!acceptance) return dropDue(row);
  try {
    await expireAcceptance(acceptance, context);
  } catch (error) {
    if (!(error instanceof AcceptanceOverError)) throw error;
  }
};

/** Time for the automatic checks before the next evaluation. */
const renewalMs = 10 * minuteMs;

/** Sends a version to the checks with outdated results, and postpones its evaluation. */
const renewEvidence = async (
  row: PolicyDue,
  head: ReviewState,
  outdated: readonly AwaitedCheck[],
  { now, deadline, renewal }: DueContext,
): Promise<void> => {
  const { held_by, next_evaluation } = head;
  if (!next_evaluation) return;
  const at = new Date(now.getTime() + renewalMs).toISOString();
  const next = { ...next_evaluation, at };
  await transact(
    [
      saveEvaluation(row, head, { held_by, next_evaluation: next }),
      ...movePolicyDue(row, next_evaluation, next),
    ],
    deadline,
  );
  const body = formatMessage(row);
  for (const check of outdated) await renewal.send(check, body);
};

/**
 * Requests another policy evaluation of a version, through the reviews' stream. Outdated evidence is renewed first. Deletes a
 * stale row instead.
 */
const rejudgeDue = async (row: PolicyDue, context: DueContext): Promise<void> => {
  const { now, deadline, renewal } = context;
  const head = await findReviewState(row);
  if (head?.next_evaluation?.at !== row.due_at) return dropDue(row);
  const { next_evaluation } = head;
  const outdated = listOutdated({ ecosystem: row.ecosystem, ...head }, renewal.inquiries, now);
  if (outdated.length > 0) return renewEvidence(row, head, outdated, context);
  await transact(
    [requestEvaluation(row, head), ...movePolicyDue(row, next_evaluation, null)],
    deadline,
  );
};

/**
 * Performs the due work of one row. Work on a single record is one transaction; work on many versions or ids runs while
 * time allows. A record that takes more than 5 seconds fails.
 */
export const doDueItem = (row: DueItem, context: DueContext): Promise<void> => {
  const walk = { ...context, actor: anonymous };
  const trial = limitTrial(context);
  switch (row.kind) {
    case 'expiry':
      return retryOnConflict(() => expireDue(row, trial));
    case 'policy':
      return retryOnConflict(() => rejudgeDue(row, trial));
    case 'acceptance-end':
      return endDue(row, trial);
    case 'acceptance':
      return spreadAcceptance(row, walk);
    case 'acceptance-over':
      return clearAcceptance(row, walk);
    case 'listing':
      return continueListing(row, walk);
  }
};
