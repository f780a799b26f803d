import type { Deadline } from '../deadline.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { chooseTarget } from '../store/catalogue/target.ts';
import { findVersion } from '../store/packages/write-version.ts';
import { type DueItem, type DueKind, dropDue, listDue } from '../store/reviews/due.ts';
import { expirePackage } from './expire-package.ts';
import { repeatWhileMoved } from './meanwhile.ts';

/** What one run of the worker did, and how late it was for the first of it. */
export interface DueReport {
  readonly done: number;
  readonly failed: number;
  readonly late_seconds: number;
}

interface DueContext {
  readonly now: Date;
  readonly deadline: Deadline;
}

const rowsAtATime = 25;
const parallelTransactions = 4;

/** Less time than this is not worth beginning with: the next run goes on. */
const reserveMs = 10_000;

/** Before all times. */
const beginning = '';

/** Returns a version to pending, if its approval still runs out then; a row that stands for nothing goes. */
const expireDue = async (row: DueItem, { now, deadline }: DueContext): Promise<void> => {
  const version = await findVersion(row);
  if (version?.expires_at !== row.due_at) return dropDue(row);
  return expirePackage(version, { now, deadline, catalogue: chooseTarget() });
};

const doing: Readonly<Record<DueKind, (row: DueItem, context: DueContext) => Promise<void>>> = {
  expiry: expireDue,
};

/** Does what one row stands for; resolves to whether that is done, by whomever. One that fails costs itself alone. */
const tryToDo = async (row: DueItem, context: DueContext): Promise<boolean> => {
  try {
    await repeatWhileMoved(() => doing[row.kind](row, context));
    return true;
  } catch (error) {
    const { kind, ecosystem, name, version } = row;
    logEvent('error', 'due_work_failed', { kind, ecosystem, name, version, error });
    return false;
  }
};

const measureDelay = (first: DueItem | undefined, now: Date): number =>
  first ? Math.max(0, Math.round((now.getTime() - Date.parse(first.due_at)) / 1000)) : 0;

/**
 * Does all that is due, in the order of its time, for as long as the deadline allows. Each piece is one transaction that
 * only one of several workers can make.
 * @throws {Error} after all else is done, where something failed
 */
export const runDueWork = async (context: DueContext): Promise<DueReport> => {
  const until = context.now.toISOString();
  let after = beginning;
  let lateSeconds = 0;
  let done = 0;
  let failed = 0;
  while (context.deadline.remainingMs() > reserveMs) {
    const rows = await listDue({ after, until }, rowsAtATime);
    if (after === beginning) lateSeconds = measureDelay(rows[0], context.now);
    const outcomes = await runInParallel(rows, parallelTransactions, (row) =>
      tryToDo(row, context),
    );
    done += outcomes.filter(Boolean).length;
    failed += outcomes.filter((isDone) => !isDone).length;
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtATime) break;
    after = last.k;
  }
  const report = { done, failed, late_seconds: lateSeconds };
  if (done + failed > 0) logEvent(failed > 0 ? 'warn' : 'info', 'due_work', { ...report });
  if (failed > 0) throw new Error(`${failed} of what was due failed; the log names it`);
  return report;
};
