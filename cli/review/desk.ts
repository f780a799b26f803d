import type { Session } from '../session/session.ts';
import type { Prompt } from './prompt.ts';

/** What a reviewer works with. */
export interface Desk {
  readonly session: Session;
  readonly prompt: Prompt;
  /** Who decides, if not the owner of the token. */
  readonly by: string | undefined;
}

/** What became of one version of the queue; `quit` ends the review. */
export type Step = 'approved' | 'rejected' | 'overtaken' | 'skipped' | 'quit';
