import { compareVersions } from './compare-versions.ts';
import type { Ecosystem } from './ecosystem.ts';
import { findMajor } from './policy/major.ts';

/**
 * Which of some versions is the least step away from one: the lowest above it with the same first number, else the
 * lowest above it, else the highest below it. Undefined where there is none.
 */
export const findNearestVersion = (
  ecosystem: Ecosystem,
  version: string,
  others: readonly string[],
): string | undefined => {
  const ordered = [...others].sort(compareVersions);
  const above = ordered.filter((other) => compareVersions(other, version) >= 0);
  const major = findMajor(ecosystem, version);
  return above.find((other) => findMajor(ecosystem, other) === major) ?? above[0] ?? ordered.at(-1);
};
