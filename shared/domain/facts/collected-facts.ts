import type { UpstreamRelease } from '../packages/upstream-release.ts';
import type { Facts } from './facts.ts';
import type { Manifest } from './manifest.ts';
import type { NamedRange, ReleaseDetails } from './release-details.ts';

/** Upstream metadata of a version, including that upstream does not have it. */
export interface CollectedFacts {
  readonly facts: Facts;
  /** Upstream's record of the version; null if there is none. */
  readonly manifest: Manifest | null;
}

/** Publication of a version of the package before another one. */
export interface EarlierPublication {
  /** Account of the publisher. */
  readonly publisher: string;
  /** ISO 8601, in UTC. */
  readonly published_at: string;
}

/** Upstream metadata of a version, with the details that comparisons need; no details if upstream shows none. */
export interface CollectedRelease extends CollectedFacts {
  readonly details?: ReleaseDetails;
  /** Digest of what the package's list says about the version; absent if other answers of the origin describe it, too. */
  readonly listing?: string;
  /** Nearest version below that upstream published earlier; absent if the answers of the origin do not contain it. */
  readonly earlier?: CollectedRelease & { readonly version: string };
  /** Publishers of the versions before, newest first; absent if the answers of the origin do not contain them. */
  readonly publications?: readonly EarlierPublication[];
  /** Versions that upstream lists; absent if the answers of the origin do not contain them. */
  readonly releases?: readonly UpstreamRelease[];
  /** Exact versions that a Maven parent or BOM sets for the builds that use it; absent for other ecosystems. */
  readonly managed?: readonly NamedRange[];
}
