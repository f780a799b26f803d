import type { CallOptions } from '../../../shared/api/client/client.ts';
import type { Prompt } from '../../input/prompt.ts';
import type { Session } from '../../session/session.ts';

/** A review at a terminal. */
export interface ReviewSession {
  readonly session: Session;
  readonly prompt: Prompt;
  /** The reviewer, if not the owner of the token. */
  readonly by: string | undefined;
}

/** The outcome of one version in the queue. */
export type Step = 'approved' | 'rejected' | 'overtaken' | 'skipped';

/** The outcome of a version, or the next step of the reviewer. */
export type Move = Step | 'back' | 'quit';

/** Returns call options that end a request with Ctrl-C. */
export const untilInterrupted = ({ prompt }: ReviewSession): CallOptions => ({
  signal: prompt.interrupted,
});
