import { type Deadline, limitDeadline } from '../deadline.ts';
import type { EvidenceContext } from './change-evidence.ts';

export interface WalkContext extends EvidenceContext {
  /** Less time than this is not worth going on with: the next run does. */
  readonly reserveMs: number;
}

export const hasTime = ({
  deadline,
  reserveMs,
}: {
  readonly deadline: Deadline;
  readonly reserveMs: number;
}): boolean => deadline.remainingMs() > reserveMs;

/** The longest that one record is tried: one that never gets through must not use up the time of all others. */
const longestTrialMs = 5000;

/** Returns the context for work on one record, whose deadline comes after 5 seconds at the latest. */
export const limitTrial = <Context extends { readonly deadline: Deadline }>(
  context: Context,
): Context => ({ ...context, deadline: limitDeadline(context.deadline, longestTrialMs) });
