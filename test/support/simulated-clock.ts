import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/** The clock of this process. It stops while code runs, independent of the machine's speed. */
export interface SimulatedClock {
  /** The milliseconds that have passed in the test. */
  readonly passedMs: () => number;
  /** The milliseconds of each pause so far. */
  readonly pauses: readonly number[];
  /** Advances the clock by this number of milliseconds. */
  readonly pass: (ms: number) => void;
  /** Advances the clock to the newest timeout, for a service that never responds. */
  readonly passToLimit: () => void;
}

/** A scheduled action. */
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

/** Replaces the delay of `timers/promises`. A delay with a value is a timeout; any other is a pause, and ends at once. */
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

/** Stops the clock of this process in each test of a file, except for pauses of the tested code. */
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
