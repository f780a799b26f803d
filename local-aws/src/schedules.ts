/** Invokes functions by the clock, as EventBridge's rules do: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
import { randomUUID } from 'node:crypto';
import type { Schedule, ScheduleTarget } from './template/model.ts';
import { accountId, region } from './template/names.ts';
import { wait } from './waiting.ts';

export interface ScheduleOptions {
  readonly schedules: Readonly<Record<string, Schedule>>;
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
  readonly onProblem: (id: string, line: string) => void;
}

export interface Schedules {
  /**
   * Invokes the rule's targets at once, and once each. Resolves when they have answered.
   * Rejects with an InvocationError when one fails, and where EventBridge would not be let in.
   */
  run(ruleId: string): Promise<void>;
  /** Ends every wait. */
  close(): void;
}

/** How long Lambda waits before it tries an asynchronous invocation again. */
const retryPausesMs = [60_000, 120_000];

/** Timers cannot wait for longer than 24 days, so that longer waits are made of several. */
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

/** Tries as often as Lambda does. Rejects only when the signal says so. */
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

/** Starts all schedules. The first run is one interval from now. None keeps the process alive. */
export const startSchedules = (options: ScheduleOptions): Schedules => {
  const { schedules } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async (schedule: Schedule): Promise<void> => {
    for (let time = Date.now() + schedule.everyMs; ; time += schedule.everyMs) {
      await waitUntil(time, signal);
      for (const target of schedule.targets) {
        // A run that takes longer than the interval does not put the next one off.
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
