import type { Deadline } from '../deadline.ts';
import { anonymous } from '../domain/actor.ts';
import { defaultScanPolicy, type ScanPolicy } from '../domain/scans/judge.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { chooseTarget } from '../store/catalogue/target.ts';
import { findVersion } from '../store/packages/write-version.ts';
import {
  type AcceptanceDue,
  type DueItem,
  dropDue,
  type ExpiryDue,
  listDue,
} from '../store/reviews/due.ts';
import { findHead, forgetJudged } from '../store/reviews/heads.ts';
import { movePolicyDue, type PolicyDue } from '../store/reviews/policy-due.ts';
import { transact } from '../store/transact.ts';
import { AcceptanceOverError, readAcceptance } from '../store/vulnerabilities/acceptances.ts';
import { continueListing } from './continue-listing.ts';
import { expireAcceptance } from './end-acceptance.ts';
import { expirePackage } from './expire-package.ts';
import { repeatWhileMoved } from './meanwhile.ts';
import { clearAcceptance, spreadAcceptance } from './spread-acceptance.ts';

/** What one run of the worker did, and how late it was for the first of it. */
export interface DueReport {
  readonly done: number;
  readonly failed: number;
  readonly late_seconds: number;
}

interface DueContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** What scans come to by what they found; as the settings are by default, if not given. */
  readonly policy?: ScanPolicy;
}

const rowsAtATime = 25;
const parallelTransactions = 4;

/** Less time than this is not worth beginning with: the next run goes on. */
const reserveMs = 10_000;

/** Before all times. */
const beginning = '';

/** Returns a version to pending, if its approval still runs out then; a row that stands for nothing goes. */
const expireDue = async (row: ExpiryDue, { now, deadline }: DueContext): Promise<void> => {
  const version = await findVersion(row);
  if (version?.expires_at !== row.due_at) return dropDue(row);
  return expirePackage(version, { now, deadline, catalogue: chooseTarget() });
};

/** Ends an acceptance, unless somebody took it back; its row goes with it. */
const endDue = async (row: AcceptanceDue, context: Required<DueContext>): Promise<void> => {
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

const doWhatIsDue = (row: DueItem, context: Required<DueContext>): Promise<void> => {
  const walk = { ...context, actor: anonymous, reserveMs };
  switch (row.kind) {
    case 'expiry':
      return repeatWhileMoved(() => expireDue(row, context));
    case 'policy':
      return repeatWhileMoved(() => rejudgeDue(row, context));
    case 'acceptance-end':
      return endDue(row, context);
    case 'acceptance':
      return spreadAcceptance(row, walk);
    case 'acceptance-over':
      return clearAcceptance(row, walk);
    case 'listing':
      return continueListing(row, walk);
  }
};

/** What goes through many versions, or many ids: what is one transaction must not wait for it, nor one of these for the other. */
const longKinds: readonly (readonly DueItem['kind'][])[] = [
  ['acceptance', 'acceptance-over'],
  ['listing'],
];
const takesLong = ({ kind }: DueItem): boolean => longKinds.flat().includes(kind);

/** Does what one row stands for; resolves to whether that is done, by whomever. One that fails costs itself alone. */
const tryToDo = async (row: DueItem, context: Required<DueContext>): Promise<boolean> => {
  try {
    await doWhatIsDue(row, context);
    return true;
  } catch (error) {
    const { v: _, k: __, ...what } = row;
    logEvent('error', 'due_work_failed', { ...what, error });
    return false;
  }
};

const measureDelay = (first: DueItem | undefined, now: Date): number =>
  first ? Math.max(0, Math.round((now.getTime() - Date.parse(first.due_at)) / 1000)) : 0;

/**
 * Does all that is due, in the order of its time and what takes long last, for as long as the deadline allows. Each piece
 * is one transaction that only one of several workers can make, or goes on where it was interrupted.
 * @throws {Error} after all else is done, where something failed
 */
export const runDueWork = async (given: DueContext): Promise<DueReport> => {
  const context = { policy: defaultScanPolicy, ...given };
  const until = context.now.toISOString();
  const outcomes: boolean[] = [];
  const doAll = async (rows: readonly DueItem[]): Promise<void> => {
    const ended = await runInParallel(rows, parallelTransactions, (row) => tryToDo(row, context));
    outcomes.push(...ended);
  };
  let after = beginning;
  let lateSeconds = 0;
  const long: DueItem[] = [];
  while (context.deadline.remainingMs() > reserveMs) {
    const rows = await listDue({ after, until }, rowsAtATime);
    if (after === beginning) lateSeconds = measureDelay(rows[0], context.now);
    await doAll(rows.filter((row) => !takesLong(row)));
    long.push(...rows.filter(takesLong));
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtATime) break;
    after = last.k;
  }
  await Promise.all(
    longKinds.map((kinds) => doAll(long.filter(({ kind }) => kinds.includes(kind)))),
  );
  const done = outcomes.filter(Boolean).length;
  const failed = outcomes.length - done;
  const report = { done, failed, late_seconds: lateSeconds };
  if (done + failed > 0) logEvent(failed > 0 ? 'warn' : 'info', 'due_work', { ...report });
  if (failed > 0) throw new Error(`${failed} of what was due failed; the log names it`);
  return report;
};
