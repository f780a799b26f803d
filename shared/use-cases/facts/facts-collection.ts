import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { ListValidator } from '../../domain/facts/list-validator.ts';
import type { CheckedProvenance } from '../../domain/facts/provenance.ts';
import type { PackageId, PackageName } from '../../domain/packages/package-id.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { ListedPackage } from '../../ecosystems/origin-client.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { FollowReleases, FollowUp } from '../submissions/follow-up.ts';
import type { CheckProvenance } from './check-provenance.ts';
import type { FindFirstPublication } from './first-publications.ts';

/** Result of a fetch from an origin. */
export interface Answer extends CollectedRelease {
  /** Result of the check of the provenance; absent if it is unknown. */
  readonly provenance?: CheckedProvenance;
  /** True if the fetch failed for a temporary reason. */
  readonly passing?: boolean;
  /** Milliseconds that the origin asks clients to wait, if it does. */
  readonly retryAfterMs?: number | null;
}

/**
 * Returns upstream metadata of a version. An unavailable origin is reported in that metadata; only the registry's own
 * faults are thrown. `known` is the stored metadata, which is the answer for an image that has not changed.
 */
export type FetchFromOrigin = (id: PackageId, known?: CollectedRelease) => Promise<Answer>;

/** Returns what the list of a package upstream says about its versions, unless it is the known one. */
export type FetchPackageList = (
  id: PackageName,
  known: ListValidator | undefined,
) => Promise<ListedPackage>;

/** Dependencies and settings of a batch of origin fetches. */
export interface FactsCollection {
  readonly ask: FetchFromOrigin;
  readonly fetchPackageList: FetchPackageList;
  readonly findFirstPublication: FindFirstPublication;
  readonly checkProvenance: CheckProvenance;
  readonly policy: ScanPolicy;
  /** Hours until the next refresh of a version that its origin has. */
  readonly everyHours: number;
  /** True to watch young approved versions for a removal upstream. */
  readonly watchesRemovals: boolean;
  readonly deadline: Deadline;
  /** Called after the metadata of a version is saved. */
  readonly followUp: FollowUp;
  /** Called for each approved version whose metadata is unchanged; undefined if updates are not followed. */
  readonly followReleases?: FollowReleases | undefined;
}

/** Origins that answered so far, and origins that were unavailable. */
export interface Outcomes {
  readonly answered: Set<Ecosystem>;
  readonly failed: Set<Ecosystem>;
}
