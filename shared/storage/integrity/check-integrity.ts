import {
  type IntegrityCursor,
  type IntegrityPhase,
  type IntegrityReport,
  integrityPhases,
} from '../../api/schemas/integrity.ts';
import { defaultScanPolicy, type ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { retry } from '../../util/retry.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
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
import { reviewsPhase } from './check-review-items.ts';
import { rowsPhase } from './check-rows.ts';
import { versionsPhase } from './check-versions.ts';

/** The driver of the integrity check: pages, time, attempts, repairs and the report, for all phases alike. */

const phases: Readonly<Record<IntegrityPhase, Phase>> = {
  versions: versionsPhase,
  rows: rowsPhase,
  counters: countersPhase,
  reviews: reviewsPhase,
  listings: listingsPhase,
  records: recordsPhase,
  displaced: displacedPhase,
  events: eventsPhase,
};

/** Longest time for one page, in milliseconds. With less time left, no further page starts. */
const pageMs = 20_000;

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

const findNextPhase = (phase: IntegrityPhase, repair: boolean): IntegrityCursor | undefined => {
  const later = integrityPhases.slice(integrityPhases.indexOf(phase) + 1);
  const next = later.find((name) => repair || !phases[name].isRepairOnly);
  return next && { phase: next };
};

/** Checks one page. Returns the cursor of the next page; undefined after the last page of the last phase. */
const checkPage = async (
  { phase, ...position }: IntegrityCursor,
  context: CheckContext,
  tally: Run['tally'],
): Promise<IntegrityCursor | undefined> => {
  const { checks, next } = await phases[phase].openPage(position, context);
  const { repair } = context;
  tally.addChecked(phase, await runChecks(checks, { phase, repair, tally }));
  return next ? { phase, ...next } : findNextPhase(phase, repair);
};

/**
 * Continues an integrity check until the deadline is near, and returns the report so far. The check compares all
 * derived items with the packages, scans and records that they derive from. Writers may run at the same time: items
 * that change during a read are read again.
 */
export const checkIntegrity = async (
  request: IntegrityReport,
  layout: CatalogueLayout,
  deadline: Deadline,
  scanPolicy: ScanPolicy = defaultScanPolicy,
): Promise<IntegrityReport> => {
  const { repair } = request;
  const tally = createTally(request);
  const missingEventNumbers = listMissingNumbers();
  const now = new Date();
  const context = { repair, layout, deadline, now, scanPolicy, missingEventNumbers };
  let next: IntegrityCursor | undefined = request.next;
  do {
    next = await checkPage(next, context, tally);
  } while (next && deadline.remainingMs() > pageMs);
  return { repair, done: next === undefined, next: next ?? request.next, ...tally.report() };
};
