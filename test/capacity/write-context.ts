import { anonymous } from '../../shared/domain/tokens/actor.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import type { ReviewContext } from '../../shared/use-cases/review/review-context.ts';

const patienceMs = 10_000;

/** The context of a write without an author and without an Idempotency-Key. */
export const writeContext = (): ReviewContext => ({
  actor: anonymous,
  now: new Date(),
  deadline: { remainingMs: () => patienceMs },
  catalogue: { layout: defaultLayout, shard: 0 },
  remember: () => [],
});

/** The context of a write of scans and upstream metadata. */
export const scanContext = () => ({
  actor: anonymous,
  now: new Date(),
  deadline: { remainingMs: () => patienceMs },
  policy: defaultScanPolicy,
});
