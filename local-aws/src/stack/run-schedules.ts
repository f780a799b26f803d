/** Invokes functions on a schedule, like EventBridge rules: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
import { randomUUID } from 'node:crypto';
import type { Schedule, ScheduleTarget } from '../template/model.ts';
import { accountId, region } from '../template/names.ts';
import { wait } from '../waiting.ts';

export interface ScheduleOptions {
  readonly schedules: Readonly<Record<string, Schedule>>;
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
  readonly onProblem: (id: string, line: string) => void;
}

export interface Schedules {
  /**
   * Invokes each target of the rule once, immediately. Resolves when all targets have answered.
   * Rejects if the rule is unknown, if an invocation fails, or if EventBridge has no permission to invoke a target.
   */
  run(ruleId: string): Promise<void>;
  /** Stops all schedules and pending retries. */
  close(): void;
}

/** Lambda's pauses before the first and second retry of an asynchronous invocation, in milliseconds. */
const retryPausesMs = [60_000, 120_000];

/**
 * Longest wait of one timer, in milliseconds. Node.js timers are limited to 24 days, so longer waits use several
 * timers.
 */
const longestTimerMs = 24 * 60 * 60 * 1000;

const makeScheduledEvent = ({ arn }: Schedule): object => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: accountId,
  time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [arn],
  detail: {},
});

const waitUntil = async (time: number, signal: AbortSignal): Promise<void> => {
  for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
    await wait(Math.min(left, longestTimerMs), signal);
  }
};

const invokeTarget = async (
  schedule: Schedule,
  target: ScheduleTarget,
  { invoke }: ScheduleOptions,
): Promise<void> => {
  if (!target.permitted) {
    throw new Error(`no AWS::Lambda::Permission lets ${schedule.id} invoke ${target.functionId}`);
  }
  await invoke(target.functionId, target.input ?? makeScheduledEvent(schedule));
};

/**
 * Invokes a target with Lambda's retries, and reports each failure to `onProblem`. Rejects only when the signal aborts.
 */
const invokeWithRetries = async (
  schedule: Schedule,
  target: ScheduleTarget,
  { signal, ...options }: ScheduleOptions & { signal: AbortSignal },
): Promise<void> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await invokeTarget(schedule, target, options);
    } catch (error) {
      signal.throwIfAborted();
      options.onProblem(schedule.id, `${schedule.id} failed: ${error}`);
    }
    if (!target.permitted || retries >= target.retryAttempts) return;
    await waitUntil(Date.now() + (retryPausesMs[retries] ?? 0), signal);
  }
};

/** Starts all schedules. Each first run is one interval from now. Schedules do not keep the process alive. */
export const startSchedules = (options: ScheduleOptions): Schedules => {
  const { schedules } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async (schedule: Schedule): Promise<void> => {
    for (let time = Date.now() + schedule.everyMs; ; time += schedule.everyMs) {
      await waitUntil(time, signal);
      for (const target of schedule.targets) {
        // A run that takes longer than the interval does not delay the next run.
        invokeWithRetries(schedule, target, { ...options, signal }).catch(() => undefined);
      }
    }
  };
  for (const schedule of Object.values(schedules)) repeat(schedule).catch(() => undefined);
  return {
    run: async (ruleId) => {
      const schedule = schedules[ruleId];
      if (schedule === undefined) throw new Error(`no schedule ${ruleId} in the stack`);
      await Promise.all(schedule.targets.map((target) => invokeTarget(schedule, target, options)));
    },
    close: () => stopping.abort(),
  };
};
