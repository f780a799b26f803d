/**
 * Loaded before the code of a process, it has every pause end at once, while the clocks of the process go on by as much:
 * what is tried again until its time is over comes to its end without a wait. A delay with a value is a limit of something
 * else and no pause, and takes its time.
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
