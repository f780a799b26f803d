import { anonymous } from '../../shared/domain/actor.ts';
import type { ReviewContext } from '../../shared/review/review-context.ts';
import { defaultLayout } from '../../shared/store/catalogue/layout.ts';

const patienceMs = 10_000;

/** A write as a function would make it, by nobody in particular and without an Idempotency-Key. */
export const writeContext = (): ReviewContext => ({
  actor: anonymous,
  now: new Date(),
  deadline: { remainingMs: () => patienceMs },
  catalogue: { layout: defaultLayout, shard: 0 },
  remember: () => [],
});
