import type { Actor } from '../domain/actor.ts';
import type { PackageDetail } from '../schemas/package.ts';
import type { CatalogueTarget } from './catalogue/writes.ts';
import type { Deadline, Write } from './transact.ts';

/** Who writes, when, until when, and what else belongs into the same transaction. */
export interface WriteContext<Result = PackageDetail> {
  readonly actor: Actor;
  readonly now: Date;
  readonly deadline: Deadline;
  readonly catalogue: CatalogueTarget;
  /** The writes that remember the answer, where the caller asked for that with an Idempotency-Key. */
  readonly remember: (result: Result) => readonly Write[];
}
