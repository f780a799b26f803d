import type { Facts } from './facts.ts';
import type { Manifest } from './manifest.ts';

/** Upstream metadata of a version, including that upstream does not have it. */
export interface CollectedFacts {
  readonly facts: Facts;
  /** Upstream's record of the version; null if there is none. */
  readonly manifest: Manifest | null;
}
