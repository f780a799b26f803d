import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { compareVersions, isBeforeRelease } from './compare-versions.ts';
import { isDigestVersion } from './digest-version.ts';
import { findMajor } from './major-version.ts';
import { compareByEcosystem, findHighest } from './version-order.ts';

/** Returns the candidates: for a release, other releases unless there are none. */
const listCandidates = (version: string, others: readonly string[]): readonly string[] => {
  const releases = others.filter((other) => !isBeforeRelease(other));
  return isBeforeRelease(version) || releases.length === 0 ? others : releases;
};

/**
 * Returns the nearest of some versions. It is the lowest at or above `version` with the same major version, else the
 * lowest above, else the highest below. Pre-releases count only for a pre-release or if there is nothing else. Returns
 * undefined for an empty list.
 */
export const findNearestVersion = (
  ecosystem: Ecosystem,
  version: string,
  others: readonly string[],
): string | undefined => {
  const ordered = [...listCandidates(version, others)].sort(compareVersions);
  const above = ordered.filter((other) => compareVersions(other, version) >= 0);
  const major = findMajor(ecosystem, version);
  return above.find((other) => findMajor(ecosystem, other) === major) ?? above[0] ?? ordered.at(-1);
};

/**
 * Returns the highest of some versions below `version`: of the same major version, else of any. Pre-releases count only
 * for a pre-release or if there is nothing else. Returns undefined if there is none, and for the digest of an image.
 */
export const findNearestBelow = (
  ecosystem: Ecosystem,
  version: string,
  others: readonly string[],
): string | undefined => {
  const below = others.filter(
    (other) =>
      ![other, version].some(isDigestVersion) && compareByEcosystem(ecosystem, other, version) < 0,
  );
  const candidates = listCandidates(version, below);
  const major = findMajor(ecosystem, version);
  const ofMajor = candidates.filter((other) => findMajor(ecosystem, other) === major);
  return findHighest(ecosystem, ofMajor) ?? findHighest(ecosystem, candidates);
};
