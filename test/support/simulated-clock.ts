import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/** The clock of this process. It stands still while code runs, however slow the machine is. */
export interface SimulatedClock {
  /** The milliseconds that have passed in the test. */
  readonly passedMs: () => number;
  /** The milliseconds of each pause so far. */
  readonly pauses: readonly number[];
  /** Lets so many milliseconds pass. */
  readonly pass: (ms: number) => void;
  /** Lets time pass until the newest limit is reached: for a service that never answers. */
  readonly passToLimit: () => void;
}

/** What happens at a moment. */
interface Limit {
  readonly at: number;
  readonly reach: () => void;
}

interface State {
  now: number;
  limits: Limit[];
  pauses: number[];
}

const real = {
  timeout: AbortSignal.timeout,
  delay: timers.setTimeout,
  now: performance.now,
};

const passTo = (state: State, at: number): void => {
  state.now = Math.max(state.now, at);
  const reached = state.limits.filter((limit) => limit.at <= state.now);
  state.limits = state.limits.filter((limit) => limit.at > state.now);
  for (const { reach } of reached) reach();
};

/** Replaces `AbortSignal.timeout`. */
const limitBy =
  (state: State) =>
  (ms: number): AbortSignal => {
    const limit = new AbortController();
    const reach = (): void => limit.abort(new DOMException('The time is over', 'TimeoutError'));
    state.limits.push({ at: state.now + ms, reach });
    return limit.signal;
  };

/** Replaces the delay of `timers/promises`. One with a value limits what it races with; any other is a pause, and ends at once. */
const delayBy =
  (state: State): typeof timers.setTimeout =>
  async (ms = 0, value, options) => {
    if (value === undefined) {
      state.pauses.push(ms);
      passTo(state, state.now + ms);
      return timers.setImmediate(value, options);
    }
    const { promise, resolve } = Promise.withResolvers<typeof value>();
    state.limits.push({ at: state.now + ms, reach: () => resolve(value) });
    return promise;
  };

const install = (state: State): void => {
  AbortSignal.timeout = limitBy(state);
  timers.setTimeout = delayBy(state);
  performance.now = () => state.now;
  syncBuiltinESMExports();
};

const uninstall = (): void => {
  AbortSignal.timeout = real.timeout;
  timers.setTimeout = real.delay;
  performance.now = real.now;
  syncBuiltinESMExports();
};

/** Has the clock of this process stand still in each test of a file, but for the pauses of what it tests. */
export const useSimulatedClock = (): SimulatedClock => {
  const state: State = { now: 0, limits: [], pauses: [] };
  beforeEach(() => {
    Object.assign(state, { now: 0, limits: [], pauses: [] });
    install(state);
  });
  afterEach(uninstall);
  return {
    passedMs: () => state.now,
    get pauses() {
      return state.pauses;
    },
    pass: (ms) => passTo(state, state.now + ms),
    passToLimit: () => passTo(state, state.limits.at(-1)?.at ?? state.now),
  };
};
