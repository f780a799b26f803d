import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { versionOrders } from '../../ecosystems/rules.ts';
import { compareVersions, isBeforeRelease } from './compare-versions.ts';
import { findMajor } from './major-version.ts';

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

/** Returns the comparison of two versions by the rules of their ecosystem, or by common conventions if it has none. */
const compareIn = (ecosystem: Ecosystem, one: string, other: string): number => {
  const order = versionOrders[ecosystem];
  const [own, others] = [order?.normalize(one), order?.normalize(other)];
  if (!order || own === undefined || others === undefined) return compareVersions(one, other);
  return order.compare(own, others);
};

/** Returns the highest version, the last of equal ones. It is not sorted: a package may have 100,000 versions. */
const findHighest = (ecosystem: Ecosystem, versions: readonly string[]): string | undefined => {
  const [first, ...others] = versions;
  return others.reduce(
    (highest, other) => (compareIn(ecosystem, other, highest ?? other) >= 0 ? other : highest),
    first,
  );
};

/** True if a version is the digest of an image, which has no order. */
const isDigest = (version: string): boolean => version.startsWith('sha256:');

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
    (other) => ![other, version].some(isDigest) && compareIn(ecosystem, other, version) < 0,
  );
  const candidates = listCandidates(version, below);
  const major = findMajor(ecosystem, version);
  const ofMajor = candidates.filter((other) => findMajor(ecosystem, other) === major);
  return findHighest(ecosystem, ofMajor) ?? findHighest(ecosystem, candidates);
};
