import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { canonicalizeVersion } from './package-version.ts';
import type { UpstreamRelease } from './upstream-release.ts';

/** Status of a version in the registry. */
export type VersionStatus = 'approved' | 'pending' | 'rejected';

/** Status of a package's versions in the registry, by canonical version. */
export type KnownVersions = ReadonlyMap<string, VersionStatus>;

/** Releases of a package upstream, and what the registry knows about the package. */
export interface ReleaseList {
  readonly releases: readonly UpstreamRelease[];
  readonly known: KnownVersions;
  /** ISO 8601. Releases up to this time are settled; all releases are if it is undefined. */
  readonly settledBefore: string | undefined;
}

/** True if a release is neither withdrawn upstream nor rejected in the registry. */
export const isAvailable = (
  ecosystem: Ecosystem,
  { version, isWithdrawn }: UpstreamRelease,
  known: KnownVersions,
): boolean => !isWithdrawn && known.get(canonicalizeVersion(ecosystem, version)) !== 'rejected';

/** True if a release is settled. A release without a known time is not, unless every release is. */
export const isSettled = (
  { published_at }: UpstreamRelease,
  settledBefore: string | undefined,
): boolean =>
  settledBefore === undefined || Date.parse(published_at ?? '') <= Date.parse(settledBefore);
