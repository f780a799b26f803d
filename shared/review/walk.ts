import type { EvidenceContext } from './change-evidence.ts';

export interface WalkContext extends EvidenceContext {
  /** Less time than this is not worth going on with: the next run does. */
  readonly reserveMs: number;
}

export const hasTime = ({ deadline, reserveMs }: WalkContext): boolean =>
  deadline.remainingMs() > reserveMs;
