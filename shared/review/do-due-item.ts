import type { Deadline } from '../deadline.ts';
import { anonymous } from '../domain/actor.ts';
import type { ScanPolicy } from '../domain/scans/judge.ts';
import { chooseTarget } from '../store/catalogue/target.ts';
import { findVersion } from '../store/packages/write-version.ts';
import { type AcceptanceDue, type DueItem, dropDue, type ExpiryDue } from '../store/reviews/due.ts';
import { findHead, forgetJudged } from '../store/reviews/heads.ts';
import { movePolicyDue, type PolicyDue } from '../store/reviews/policy-due.ts';
import { transact } from '../store/transact.ts';
import { AcceptanceOverError, readAcceptance } from '../store/vulnerabilities/acceptances.ts';
import { continueListing } from './continue-listing.ts';
import { expireAcceptance } from './end-acceptance.ts';
import { expirePackage } from './expire-package.ts';
import { repeatWhileMoved } from './meanwhile.ts';
import { clearAcceptance, spreadAcceptance } from './spread-acceptance.ts';
import { limitTrial } from './walk.ts';

export interface DueContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
  /** Less time than this is not worth beginning with: the next run does. */
  readonly reserveMs: number;
}

/** Returns a version to pending, if its approval still runs out then; a row that stands for nothing goes. */
const expireDue = async (row: ExpiryDue, { now, deadline }: DueContext): Promise<void> => {
  const version = await findVersion(row);
  if (version?.expires_at !== row.due_at) return dropDue(row);
  return expirePackage(version, { now, deadline, catalogue: chooseTarget() });
};

/** Ends an acceptance, unless somebody took it back; its row goes with it. */
const endDue = async (row: AcceptanceDue, context: DueContext): Promise<void> => {
  const acceptance = await readAcceptance(row);
  if (!acceptance) return dropDue(row);
  try {
    await expireAcceptance(acceptance, context);
  } catch (error) {
    if (!(error instanceof AcceptanceOverError)) throw error;
  }
};

/** Has the policy look at a version again, which its stream tells it; a row that stands for nothing goes. */
const rejudgeDue = async (row: PolicyDue, { deadline }: DueContext): Promise<void> => {
  const head = await findHead(row);
  if (head?.judges_at !== row.due_at) return dropDue(row);
  await transact([forgetJudged(row, head), ...movePolicyDue(row, row.due_at, null)], deadline);
};

/**
 * Does what one row of due work stands for: as one transaction, or for as long as there is time where it concerns many
 * versions or ids. A record that does not get through within 5 seconds fails.
 */
export const doDueItem = (row: DueItem, context: DueContext): Promise<void> => {
  const walk = { ...context, actor: anonymous };
  const trial = limitTrial(context);
  switch (row.kind) {
    case 'expiry':
      return repeatWhileMoved(() => expireDue(row, trial));
    case 'policy':
      return repeatWhileMoved(() => rejudgeDue(row, trial));
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
