import { canonicalizeVersion, isPackageVersion } from '../../domain/packages/package-version.ts';
import type { UpstreamRelease } from '../../domain/packages/upstream-release.ts';
import type { Ecosystem } from '../ecosystem.ts';
import type { Origin } from './origin-http.ts';
import { cleanTime } from './upstream-answer.ts';

/** Versions of a package upstream. */
export interface PackageReleases {
  readonly releases: readonly UpstreamRelease[];
  /** When the first version was published, ISO 8601 in UTC; null if the origin does not show it. */
  readonly firstPublishedAt: string | null;
}

/**
 * Fetches the versions of a package from the origin of one ecosystem; undefined if the origin does not have the name.
 * @throws {UpstreamError} if a request fails or a response is malformed
 */
export type ListReleases = (origin: Origin, name: string) => Promise<PackageReleases | undefined>;

/** A version, or one file of it, as the origin shows it. */
interface ListedRelease {
  readonly version: string;
  readonly publishedAt: unknown;
  readonly isWithdrawn: boolean;
}

/** Maximum number of versions; further ones are omitted. The largest packages have some ten thousand. */
const mostReleases = 100_000;

/** Returns the earliest of some times, ISO 8601 in UTC; null if none is valid. */
export const findEarliest = (times: Iterable<unknown>): string | null => {
  let earliest: string | null = null;
  for (const time of times) {
    const at = cleanTime(time);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
};

/**
 * Returns the valid versions, each once and in the order of the origin: at most 100,000. A version with several files was
 * published with the first one, and is withdrawn if all files are.
 */
export const toReleases = (
  ecosystem: Ecosystem,
  listed: Iterable<ListedRelease>,
): readonly UpstreamRelease[] => {
  const found = new Map<string, UpstreamRelease>();
  for (const { version, publishedAt, isWithdrawn } of listed) {
    if (found.size >= mostReleases) break;
    if (!isPackageVersion(ecosystem, version)) continue;
    const key = canonicalizeVersion(ecosystem, version);
    const known = found.get(key);
    found.set(key, {
      version: known?.version ?? version,
      published_at: findEarliest([known?.published_at, publishedAt]),
      isWithdrawn: isWithdrawn && (known?.isWithdrawn ?? true),
    });
  }
  return [...found.values()];
};
