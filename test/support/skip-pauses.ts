/**
 * Loaded before the code of a process: ends every pause at once, and advances the clocks of the process by the pause, so that
 * retries until a deadline end without a wait. A delay with a value is a timeout, not a pause, and keeps its duration.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

let skippedMs = 0;
const realDateNow = Date.now.bind(Date);
const realNow = performance.now.bind(performance);
const realDelay = timers.setTimeout;

const skip: typeof realDelay = (ms = 0, value, options) => {
  if (value !== undefined) return realDelay(ms, value, options);
  skippedMs += ms;
  return timers.setImmediate(value, options);
};

Date.now = () => realDateNow() + Math.round(skippedMs);
performance.now = () => realNow() + skippedMs;
timers.setTimeout = skip;
syncBuiltinESMExports();
