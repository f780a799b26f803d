import type { Actor } from '../../domain/tokens/actor.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { Write } from './write.ts';

/** Actor, time and deadline of a write, and further writes of the same transaction. */
export interface WriteContext<Result> {
  readonly actor: Actor;
  readonly now: Date;
  readonly deadline: Deadline;
  /** Returns the writes that save the idempotency record; none without an Idempotency-Key. */
  readonly remember: (result: Result) => readonly Write[];
  /** Value that is equal for all requests with the same Idempotency-Key; absent without a key. */
  readonly idempotencyScope?: string | undefined;
}
