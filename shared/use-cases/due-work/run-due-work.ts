import { type DueKind, dueKinds } from '../../domain/review/due-kind.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { type DueItem, listDue } from '../../storage/reviews/due.ts';
import { type Deadline, limitDeadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { hasTime } from '../vulnerability-index/walk.ts';
import { type DueContext, doDueItem, type EvidenceRenewal } from './do-due-item.ts';

/** Counts of one kind of due work in one run, and the delay of its earliest row in seconds. */
export interface KindReport {
  readonly done: number;
  readonly failed: number;
  readonly late_seconds: number;
}

/** Reports of all kinds that had due work. */
export type DueReport = Readonly<Partial<Record<DueKind, KindReport>>>;

interface RunContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** Thresholds that turn findings into a scan status; the default settings if omitted. */
  readonly policy?: ScanPolicy;
  /** How old evidence is renewed; not at all if omitted. */
  readonly renewal?: EvidenceRenewal;
}

const noRenewal: EvidenceRenewal = {
  inquiries: { isScanning: false, isCollectingFacts: false },
  send: async () => undefined,
};

const rowsAtATime = 25;
const parallelRows = 4;
const reserveMs = 10_000;

/** Share of a run's time that is reserved for the first kinds. */
const shareOfFirst = 1 / 3;

/** An ended acceptance still counts in decisions on a version until its mark is removed, so these kinds run first. */
const firstKinds: readonly DueKind[] = ['acceptance-over', 'acceptance-end'];

/** Sorts before all timestamps. */
const beginning = '';

/** Processes one row, and returns true on success. A failed row does not affect other rows. */
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

/** Returns a lane for the due work of one kind. Each call of its `run` processes due rows, earliest first. */
const createLane = (kind: DueKind) => {
  /** Outcomes of all rows that were started, by key: true on success. */
  const outcomes = new Map<string, boolean>();
  let lateSeconds: number | undefined;

  const doRow = async (row: DueItem, context: DueContext): Promise<void> => {
    // The next run of the worker retries a failed row.
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

/** Runs lanes in parallel until all have ended, then throws the first error of a lane, if any. */
const runLanes = async (lanes: readonly Lane[], context: DueContext): Promise<void> => {
  const runs = lanes.map(({ run }) => run(context));
  await Promise.allSettled(runs);
  await Promise.all(runs);
};

/** Runs the first kinds alone for their share of the time, then all kinds in parallel. */
const runInTurn = async (lanes: readonly Lane[], context: DueContext): Promise<void> => {
  const { deadline } = context;
  const aloneMs = (deadline.remainingMs() - reserveMs) * shareOfFirst;
  const first = lanes.filter(({ kind }) => firstKinds.includes(kind));
  const alone = { ...context, deadline: limitDeadline(deadline, reserveMs + aloneMs) };
  // An error of these lanes recurs with the others below, and is reported there.
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
 * Processes due work while the deadline allows, and returns a report for each kind. All kinds run in parallel, so a
 * backlog or a bad record of one kind delays no other; ends of acceptances come first. Each item is one transaction that
 * only one of several workers can commit, or continues from its saved cursor.
 * @throws {Error} at the end of the run, if an item failed
 */
export const runDueWork = async (given: RunContext): Promise<DueReport> => {
  const context = { policy: defaultScanPolicy, renewal: noRenewal, ...given, reserveMs };
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
