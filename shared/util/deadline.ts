/** How long work may still go on: what is left of a request's or an invocation's time, less what its end needs. */
export interface Deadline {
  readonly remainingMs: () => number;
}

/** Returns a deadline that ends after `ms` milliseconds of the given one, or with it. */
export const limitDeadline = (deadline: Deadline, ms: number): Deadline => {
  const keptMs = Math.max(0, deadline.remainingMs() - ms);
  return { remainingMs: () => deadline.remainingMs() - keptMs };
};

/** Returns a deadline that ends `ms` milliseconds from now. */
export const createDeadline = (ms: number): Deadline => {
  const end = performance.now() + ms;
  return { remainingMs: () => end - performance.now() };
};
