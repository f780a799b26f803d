import type { Deadline } from '../../util/deadline.ts';

/** Time that a worker needs for the other requests and the writes of its versions, in milliseconds. */
const enoughMs = 60_000;

/** True if a worker has time for requests that can wait for the next collection. */
export const hasSpareTime = (deadline: Deadline): boolean => deadline.remainingMs() >= enoughMs;
