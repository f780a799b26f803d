/** Remaining time for work: that of a request or an invocation, minus a reserve for its end. */
export interface Deadline {
  readonly remainingMs: () => number;
}

/** Returns a deadline that ends after `ms` milliseconds or with the given deadline, whichever is first. */
export const limitDeadline = (deadline: Deadline, ms: number): Deadline => {
  const keptMs = Math.max(0, deadline.remainingMs() - ms);
  return { remainingMs: () => deadline.remainingMs() - keptMs };
};

/** Returns a deadline that ends `ms` milliseconds from now. */
export const createDeadline = (ms: number): Deadline => {
  const end = performance.now() + ms;
  return { remainingMs: () => end - performance.now() };
};
