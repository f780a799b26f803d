/** How long work may still go on: what is left of a request's or an invocation's time, less what its end needs. */
export interface Deadline {
  readonly remainingMs: () => number;
}
