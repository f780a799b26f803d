import type { Facts } from './facts.ts';
import type { Manifest } from './manifest.ts';

/** What an origin says of a version: also that it has no such version. */
export interface CollectedFacts {
  readonly facts: Facts;
  /** Its record of the version; null where it gives none. */
  readonly manifest: Manifest | null;
}
