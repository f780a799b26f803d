import type { CallOptions } from '../../../shared/api/client/client.ts';
import type { Prompt } from '../../input/prompt.ts';
import type { Session } from '../../session/session.ts';

/** What a reviewer works with. */
export interface Desk {
  readonly session: Session;
  readonly prompt: Prompt;
  /** Who decides, if not the owner of the token. */
  readonly by: string | undefined;
}

/** What became of one version of the queue. */
export type Step = 'approved' | 'rejected' | 'overtaken' | 'skipped';

/** What became of it, or where the reviewer would rather go. */
export type Move = Step | 'back' | 'quit';

/** Ends a request when the reviewer presses Ctrl-C. */
export const untilInterrupted = ({ prompt }: Desk): CallOptions => ({ signal: prompt.interrupted });
