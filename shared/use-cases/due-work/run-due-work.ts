import { type DueKind, dueKinds } from '../../domain/review/due-kind.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { type DueItem, listDue } from '../../storage/reviews/due.ts';
import { type Deadline, limitDeadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { hasTime } from '../vulnerability-index/walk.ts';
import { type DueContext, doDueItem } from './do-due-item.ts';

/** What one run of the worker did of one kind of due work, and how late it was for the first of it, in seconds. */
export interface KindReport {
  readonly done: number;
  readonly failed: number;
  readonly late_seconds: number;
}

/** The report of each kind of which something was due. */
export type DueReport = Readonly<Partial<Record<DueKind, KindReport>>>;

interface RunContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** What scans come to by what they found; as the settings are by default, if not given. */
  readonly policy?: ScanPolicy;
}

const rowsAtATime = 25;
const parallelRows = 4;
const reserveMs = 10_000;

/** The part of a run's time for which the first kinds may go on alone. */
const shareOfFirst = 1 / 3;

/** An acceptance that ended counts for a version, and decisions rely on it, until its mark is removed. */
const firstKinds: readonly DueKind[] = ['acceptance-over', 'acceptance-end'];

/** Before all times. */
const beginning = '';

/** Does one row; returns whether that succeeded. A row that fails costs itself alone. */
const tryToDo = async (row: DueItem, context: DueContext): Promise<boolean> => {
  try {
    await doDueItem(row, context);
    return true;
  } catch (error) {
    const { v: _, k: __, ...what } = row;
    logEvent('error', 'due_work_failed', { ...what, error });
    return false;
  }
};

const measureDelay = (first: DueItem, now: Date): number =>
  Math.max(0, Math.round((now.getTime() - Date.parse(first.due_at)) / 1000));

/** Goes through the due work of one kind, the earliest first, as often as its `run` is called. */
const createLane = (kind: DueKind) => {
  /** Whether each row that was begun succeeded, by its key. */
  const outcomes = new Map<string, boolean>();
  let lateSeconds: number | undefined;

  const doRow = async (row: DueItem, context: DueContext): Promise<void> => {
    // One that failed is left to the next run of the worker.
    if (outcomes.get(row.k) === false || !hasTime(context)) return;
    outcomes.set(row.k, await tryToDo(row, context));
  };

  const run = async (context: DueContext): Promise<void> => {
    const until = context.now.toISOString();
    let after = beginning;
    while (hasTime(context)) {
      const rows = await listDue(kind, { after, until }, rowsAtATime);
      const [first] = rows;
      if (first) lateSeconds ??= measureDelay(first, context.now);
      await runInParallel(rows, parallelRows, (row) => doRow(row, context));
      if (rows.length < rowsAtATime) return;
      after = rows.at(-1)?.k ?? after;
    }
  };

  const report = (): KindReport | undefined => {
    if (lateSeconds === undefined) return undefined;
    const done = [...outcomes.values()].filter(Boolean).length;
    return { done, failed: outcomes.size - done, late_seconds: lateSeconds };
  };

  return { kind, run, report };
};

type Lane = ReturnType<typeof createLane>;

/** Runs lanes side by side until all have ended, and throws then what one of them threw. */
const runLanes = async (lanes: readonly Lane[], context: DueContext): Promise<void> => {
  const runs = lanes.map(({ run }) => run(context));
  await Promise.allSettled(runs);
  await Promise.all(runs);
};

/** Runs the first kinds alone for their part of the time, then all kinds side by side. */
const runInTurn = async (lanes: readonly Lane[], context: DueContext): Promise<void> => {
  const { deadline } = context;
  const aloneMs = (deadline.remainingMs() - reserveMs) * shareOfFirst;
  const first = lanes.filter(({ kind }) => firstKinds.includes(kind));
  const alone = { ...context, deadline: limitDeadline(deadline, reserveMs + aloneMs) };
  // What failed of them is tried again with the others, and reported then.
  await Promise.allSettled([runLanes(first, alone)]);
  await runLanes(lanes, context);
};

const listReports = (lanes: readonly Lane[]): (readonly [DueKind, KindReport])[] =>
  lanes.flatMap(({ kind, report }) => {
    const counts = report();
    return counts ? [[kind, counts] as const] : [];
  });

const logReports = (lanes: readonly Lane[]): void => {
  for (const [kind, counts] of listReports(lanes)) {
    logEvent(counts.failed > 0 ? 'warn' : 'info', 'due_work', { kind, ...counts });
  }
};

/**
 * Does what is due, for as long as the deadline allows, and returns what it did of each kind. Each kind has its own share
 * of the run, so that a backlog or a bad record of one kind delays no other; ends of acceptances come first. Each piece is
 * one transaction that only one of several workers can make, or goes on where it was interrupted.
 * @throws {Error} after all else is done, where something failed
 */
export const runDueWork = async (given: RunContext): Promise<DueReport> => {
  const context = { policy: defaultScanPolicy, ...given, reserveMs };
  const lanes = dueKinds.map(createLane);
  try {
    await runInTurn(lanes, context);
  } finally {
    logReports(lanes);
  }
  const reports = listReports(lanes);
  const failed = reports.reduce((sum, [, counts]) => sum + counts.failed, 0);
  if (failed > 0) throw new Error(`${failed} of what was due failed; the log names it`);
  return Object.fromEntries(reports);
};
