import type { Actor } from '../../domain/tokens/actor.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { Write } from './write.ts';

/** Who writes, when, until when, and what else belongs into the same transaction. */
export interface WriteContext<Result> {
  readonly actor: Actor;
  readonly now: Date;
  readonly deadline: Deadline;
  /** The writes that remember the answer, where the caller asked for that with an Idempotency-Key. */
  readonly remember: (result: Result) => readonly Write[];
  /** The same for each request with the same Idempotency-Key; absent without one. */
  readonly idempotencyScope?: string | undefined;
}
