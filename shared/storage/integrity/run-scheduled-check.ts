import { IntegrityReport } from '../../api/schemas/integrity.ts';
import type { Deadline } from '../../util/deadline.ts';
import { dayMs, hourMs } from '../../util/duration.ts';
import { logEvent } from '../../util/log.ts';
import {
  readScheduledState,
  type ScheduledState,
  StateChangedError,
  saveScheduledState,
} from './scheduled-state.ts';

/** The scheduled integrity check, which reports and repairs nothing. Its state carries it from run to run of the worker. */

/** Outcome of a run: nothing was due, another run is in progress, more is left for the next run, or the check is complete. */
export type ScheduledOutcome = 'not_due' | 'running' | 'continued' | 'complete';

interface Schedule {
  /** Days from the start of one check to the start of the next. */
  readonly everyDays: number;
  readonly now: Date;
  readonly deadline: Deadline;
  /** Continues a check until the deadline is near. */
  readonly check: (request: IntegrityReport, deadline: Deadline) => Promise<IntegrityReport>;
}

/** Limits of a check that never ends: of all runs, ten days long, and of consecutive runs without progress. */
const mostRuns = 1000;
const mostStuck = 5;

/** Time for the end of a run, in milliseconds. */
const reserveMs = 10_000;

/** The schedule that starts the worker is not exact, so that six minutes early is better than one run late. */
const earlyMs = hourMs / 10;

const isDue = (state: ScheduledState | undefined, { everyDays, now }: Schedule): boolean =>
  !state || now.getTime() >= Date.parse(state.began_at) + everyDays * dayMs - earlyMs;

/** Returns the state of the current check, or of a new one if it is due; undefined otherwise. */
const findNext = (
  state: ScheduledState | undefined,
  schedule: Schedule,
): ScheduledState | undefined => {
  if (state?.report) return state;
  if (!isDue(state, schedule)) return undefined;
  const began_at = schedule.now.toISOString();
  const report = IntegrityReport.parse({});
  return { began_at, runs: 0, stuck: 0, leased_until: null, report };
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const keepPositive = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Logs the result of a complete check. A metric and an alarm follow from `problems`. */
const logResult = (
  { began_at, runs }: ScheduledState,
  { found, checked, unjudged, examples }: IntegrityReport,
  now: Date,
): void => {
  const problems = sum(found);
  logEvent(problems > 0 ? 'error' : 'info', 'integrity_checked', {
    ...{ problems, unjudged, found: keepPositive(found), checked, examples, runs },
    minutes: Math.round((now.getTime() - Date.parse(began_at)) / 60_000),
  });
};

/** Ends a check that makes no progress. The next one begins on schedule. */
const giveUp = async (state: ScheduledState): Promise<never> => {
  await saveScheduledState({ ...state, leased_until: null, report: null }, state);
  const { phase } = state.report?.next ?? {};
  throw new Error(
    `The integrity check stopped in its phase ${phase} after ${state.runs} runs, the last ${state.stuck} without progress`,
  );
};

/** Takes the lease of a check, for the time that the worker has. */
const takeLease = async (
  state: ScheduledState,
  seen: ScheduledState | undefined,
  { now, deadline }: Schedule,
): Promise<ScheduledState> => {
  const leased_until = new Date(now.getTime() + deadline.remainingMs()).toISOString();
  const leased = { ...state, runs: state.runs + 1, stuck: state.stuck + 1, leased_until };
  await saveScheduledState(leased, seen);
  return leased;
};

/** Continues a leased check, and saves its progress. */
const continueCheck = async (
  leased: ScheduledState,
  request: IntegrityReport,
  { check, deadline }: Schedule,
): Promise<ScheduledOutcome> => {
  const report = await check(request, { remainingMs: () => deadline.remainingMs() - reserveMs });
  const progress = { ...leased, stuck: 0, leased_until: null };
  await saveScheduledState({ ...progress, report: report.done ? null : report }, leased);
  if (!report.done) return 'continued';
  logResult(leased, report, new Date());
  return 'complete';
};

/**
 * Runs the scheduled check once: begins one if it is due, or continues the current one. A run that fails is repeated by
 * the next one, at most five times in sequence.
 * @throws {Error} if the storage cannot be reached, or if the check makes no progress
 */
export const runScheduledCheck = async (schedule: Schedule): Promise<ScheduledOutcome> => {
  const seen = await readScheduledState();
  const state = findNext(seen, schedule);
  if (!state?.report) return 'not_due';
  if (state.leased_until !== null && Date.parse(state.leased_until) > schedule.now.getTime()) {
    return 'running';
  }
  if (state.runs >= mostRuns || state.stuck >= mostStuck) return giveUp(state);
  try {
    const leased = await takeLease(state, seen, schedule);
    return await continueCheck(leased, state.report, schedule);
  } catch (error) {
    if (error instanceof StateChangedError) return 'running';
    throw error;
  }
};
