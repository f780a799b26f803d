import { anonymous } from '../../shared/domain/actor.ts';
import { defaultLayout } from '../../shared/store/catalogue/layout.ts';
import type { WriteContext } from '../../shared/store/write-context.ts';

const patienceMs = 10_000;

/** A write as a function would make it, by nobody in particular and without an Idempotency-Key. */
export const writeContext = (): WriteContext => ({
  actor: anonymous,
  now: new Date(),
  deadline: { remainingMs: () => patienceMs },
  catalogue: { layout: defaultLayout, shard: 0 },
  remember: () => [],
});
