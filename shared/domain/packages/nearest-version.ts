import { compareVersions, isBeforeRelease } from './compare-versions.ts';
import type { Ecosystem } from './ecosystem.ts';
import { findMajor } from './major-version.ts';

/** Nobody who asked for a release is shown one to come, where there is another. */
const listCandidates = (version: string, others: readonly string[]): readonly string[] => {
  const releases = others.filter((other) => !isBeforeRelease(other));
  return isBeforeRelease(version) || releases.length === 0 ? others : releases;
};

/**
 * Which of some versions is the least step away from one: the lowest above it with the same first number, else the
 * lowest above it, else the highest below it; a release to come only for another one, or where there is nothing else.
 * Undefined where there is none.
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
