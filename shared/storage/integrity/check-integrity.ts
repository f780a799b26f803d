import {
  type IntegrityCursor,
  type IntegrityPhase,
  type IntegrityPosition,
  type IntegrityReport,
  integrityPhases,
} from '../../api/schemas/integrity.ts';
import { defaultScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { retry } from '../../util/retry.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import type { Segment } from '../dynamodb/read.ts';
import { readNewestSequenceNumber } from '../packages/submission-counter.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  type Finding,
  isStorageError,
  type Outcome,
  outcomes,
  type Phase,
  type Problem,
} from './check.ts';
import { countersPhase } from './check-counters.ts';
import { displacedPhase, eventsPhase, listMissingNumbers, recordsPhase } from './check-events.ts';
import { listingsPhase } from './check-listings.ts';
import { projectsPhase } from './check-projects.ts';
import { reviewsPhase } from './check-review-items.ts';
import { rowsPhase } from './check-rows.ts';
import { sumsPhase } from './check-sums.ts';
import { usesPhase } from './check-uses.ts';
import { versionsPhase } from './check-versions.ts';
import { openRowSums, startRowSums } from './row-sums.ts';
import { openUseSums, startUseSums } from './use-sums.ts';

/** The driver of the integrity check: segments, pages, time, attempts, repairs and the report, for all phases alike. */

const phases: Readonly<Record<IntegrityPhase, Phase>> = {
  sums: sumsPhase,
  versions: versionsPhase,
  rows: rowsPhase,
  counters: countersPhase,
  reviews: reviewsPhase,
  listings: listingsPhase,
  records: recordsPhase,
  displaced: displacedPhase,
  events: eventsPhase,
  projects: projectsPhase,
  uses: usesPhase,
};

/** Longest time for one page, in milliseconds. With less time left, no further page starts. */
const pageMs = 20_000;

/** Time for the stream to list a version, in milliseconds, for operators who wait for the result. */
const defaultSettleMs = 500;

/** The limit of examples in a report: enough to see a pattern, few enough to read. */
const maxExamples = 20;

/** Counts checked items, findings and repairs, from the counts of an earlier step on. */
export const createTally = (before: IntegrityReport) => {
  const checked = { ...before.checked };
  const found = { ...before.found };
  const examples = [...before.examples];
  let { repaired, unjudged } = before;

  /** Counts a finding. Returns false if it was counted before with another page. */
  const addFinding = ({ kind, example, counted }: Finding): boolean => {
    if (counted === 'before') return true;
    const text = `${kind}: ${example}`;
    if (counted === 'once' && examples.includes(text)) return false;
    found[kind] = (found[kind] ?? 0) + 1;
    // Later pages look up `once` findings among the examples, so these findings may exceed the limit.
    if (counted === 'once' || examples.length < maxExamples) examples.push(text);
    return true;
  };

  return {
    addChecked: (phase: IntegrityPhase, count: number): void => {
      checked[phase] = (checked[phase] ?? 0) + count;
    },
    /** Counts findings, and their repair if they were repaired. */
    addFindings: (findings: readonly Finding[], isRepaired: boolean): void => {
      const added = findings.filter(addFinding);
      if (isRepaired) repaired += added.length;
    },
    addUnjudged: (): void => {
      unjudged += 1;
    },
    report: () => ({ checked, found, examples, repaired, unjudged }),
  };
};

/** What the driver needs to run the checks of one page. */
interface Run {
  readonly phase: IntegrityPhase;
  readonly repair: boolean;
  readonly tally: ReturnType<typeof createTally>;
}

const isConflict = (error: unknown): boolean => error instanceof ConflictError;

/** Runs one part of a check. Logs an error that concerns this check alone, and counts the check as unjudged. */
const isolate = async <T>(
  { subject }: Check,
  { phase, tally }: Run,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> => {
  try {
    return { result: await work() };
  } catch (error) {
    if (isStorageError(error) || isConflict(error)) throw error;
    logEvent('error', 'integrity_check_failed', { phase, subject, error });
    tally.addUnjudged();
    return undefined;
  }
};

/** Reports a problem, and repairs it if `repair` is set. After a conflict, reports nothing: the problem may be gone. */
const settleProblem = async (
  { findings, repair }: Problem,
  check: Check,
  run: Run,
): Promise<Outcome> => {
  const isRepairing = run.repair && repair !== undefined;
  const repaired = isRepairing ? await isolate(check, run, repair) : undefined;
  run.tally.addFindings(findings, repaired !== undefined);
  if (!isRepairing) return 'reported';
  return repaired ? 'repaired' : 'unjudged';
};

const isWorse = (one: Outcome, other: Outcome): boolean =>
  outcomes.indexOf(one) > outcomes.indexOf(other);

/**
 * Examines an item once, and reports or repairs each of its problems. Returns the worst outcome.
 * @throws {ConflictError} after any conflict
 */
const attemptCheck = async (check: Check, run: Run): Promise<Outcome> => {
  const examined = await isolate(check, run, check.examine);
  if (!examined) return 'unjudged';
  let worst: Outcome = 'right';
  let conflict: unknown;
  for (const problem of examined.result) {
    try {
      const outcome = await settleProblem(problem, check, run);
      if (isWorse(outcome, worst)) worst = outcome;
    } catch (error) {
      if (!isConflict(error)) throw error;
      conflict = error;
    }
  }
  if (conflict) throw conflict;
  return worst;
};

/** Runs a check, and repeats it while writers change its items. */
const runCheck = async (check: Check, run: Run): Promise<Outcome> => {
  const options = { attempts: 3, ...check.attemptOptions, isRetryable: isConflict };
  try {
    return await retry(() => attemptCheck(check, run), options);
  } catch (error) {
    if (!isConflict(error)) throw error;
    run.tally.addUnjudged();
    return 'unjudged';
  }
};

/**
 * Runs checks in sequence, and passes each outcome to their generator. A check with an error counts as unjudged, and
 * the others continue.
 * @returns the return value of the generator
 * @throws {Error} if the storage cannot be reached, or denies access
 */
export const runChecks = async <Result>(checks: Checks<Result>, run: Run): Promise<Result> => {
  let step = await checks.next('right');
  while (!step.done) step = await checks.next(await runCheck(step.value, run));
  return step.value;
};

/** Returns the beginning of the next phase that has something to do. */
const findNextPhase = (
  phase: IntegrityPhase,
  context: CheckContext,
): IntegrityCursor | undefined => {
  const later = integrityPhases.slice(integrityPhases.indexOf(phase) + 1);
  const next = later.find((name) => phases[name].isNeeded(context));
  return next && { phase: next };
};

/** What the driver needs to check the pages of one phase. */
interface PhaseRun extends Run {
  readonly context: CheckContext;
}

/** Position of a segment; null after its last page. */
type SegmentPosition = IntegrityPosition | null;

/** Checks one page of a segment. Returns the position of the next page. */
const checkPage = async (
  position: IntegrityPosition,
  segment: Segment,
  run: PhaseRun,
): Promise<SegmentPosition> => {
  const { phase, context, tally } = run;
  const { checks, next } = await phases[phase].openPage(position, segment, context);
  tally.addChecked(phase, await runChecks(checks, run));
  return next ?? null;
};

/** Returns the number of segments at once. Repairs of one segment may need those of another one to be complete. */
const findWidth = (count: number, { phase, repair }: Run): number =>
  repair && phases[phase].hasRepairs ? 1 : count;

/**
 * Checks pages of all segments until the deadline is near, at least one page. Returns the new positions.
 * @throws {Error} if the storage cannot be reached, or denies access; no page is in progress then
 */
const checkSegments = async (
  positions: readonly SegmentPosition[],
  run: PhaseRun,
): Promise<SegmentPosition[]> => {
  const { deadline } = run.context;
  const failures: unknown[] = [];
  let pages = 0;
  const mayContinue = (): boolean =>
    failures.length === 0 && (pages === 0 || deadline.remainingMs() > pageMs);
  const follow = async (start: SegmentPosition, number: number): Promise<SegmentPosition> => {
    let position = start;
    try {
      while (position && mayContinue()) {
        pages += 1;
        position = await checkPage(position, { number, of: positions.length }, run);
      }
    } catch (error) {
      failures.push(error);
    }
    return position;
  };
  const numbered = [...positions.entries()];
  const ends = await runInParallel(numbered, findWidth(positions.length, run), ([number, start]) =>
    follow(start, number),
  );
  if (failures.length > 0) throw failures[0];
  return ends;
};

/** Continues one phase. Returns the new cursor; undefined after the last phase. */
const continuePhase = async (
  { phase, segments }: IntegrityCursor,
  run: PhaseRun,
): Promise<IntegrityCursor | undefined> => {
  const { finish, segments: count } = phases[phase];
  const positions = segments ?? Array.from({ length: count }, () => ({}));
  const ends = await checkSegments(positions, run);
  if (ends.some((end) => end !== null)) return { phase, segments: ends };
  if (finish) run.tally.addChecked(phase, await runChecks(finish(run.context), run));
  return findNextPhase(phase, run.context);
};

/** Options of an integrity check. */
type CheckOptions = Partial<Pick<CheckContext, 'scanPolicy' | 'settleMs'>>;

/**
 * Continues an integrity check until the deadline is near, and returns the report so far. The check compares all
 * derived items with the packages, scans and records that they derive from. Writers may run at the same time: what
 * seems wrong at the first, eventually consistent look is read again before it is reported.
 */
export const checkIntegrity = async (
  request: IntegrityReport,
  layout: CatalogueLayout,
  deadline: Deadline,
  { scanPolicy = defaultScanPolicy, settleMs = defaultSettleMs }: CheckOptions = {},
): Promise<IntegrityReport> => {
  const { repair } = request;
  const tally = createTally(request);
  const missingEventNumbers = listMissingNumbers();
  const now = new Date();
  const stored = request.row_sums ?? startRowSums((await readNewestSequenceNumber()) ?? 0);
  const rowSums = openRowSums(stored);
  const settings = { repair, layout, deadline, now, scanPolicy, settleMs };
  const useSums = openUseSums(request.use_sums ?? startUseSums());
  const context = { ...settings, missingEventNumbers, rowSums, useSums };
  let next: IntegrityCursor | undefined = request.next;
  do {
    next = await continuePhase(next, { phase: next.phase, repair, tally, context });
  } while (next && deadline.remainingMs() > pageMs);
  const done = next === undefined;
  const sums = { row_sums: rowSums.store(), use_sums: useSums.store() };
  return { repair, done, next: next ?? request.next, ...sums, ...tally.report() };
};
