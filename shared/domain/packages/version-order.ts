import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { versionOrders } from '../../ecosystems/rules.ts';
import { compareVersions, isBeforeRelease } from './compare-versions.ts';

/** Returns the comparison of two versions by the rules of their ecosystem, or by common conventions if it has none. */
export const compareByEcosystem = (ecosystem: Ecosystem, one: string, other: string): number => {
  const order = versionOrders[ecosystem];
  const [own, others] = [order?.normalize(one), order?.normalize(other)];
  if (!order || own === undefined || others === undefined) return compareVersions(one, other);
  return order.compare(own, others);
};

/** Returns the highest version, the last of equal ones. It is not sorted: a package may have 100,000 versions. */
export const findHighest = (
  ecosystem: Ecosystem,
  versions: readonly string[],
): string | undefined => {
  const [first, ...others] = versions;
  return others.reduce(
    (highest, other) =>
      compareByEcosystem(ecosystem, other, highest ?? other) >= 0 ? other : highest,
    first,
  );
};

/** True for a pre-release by the rules of the ecosystem, or by common conventions if it has none. */
export const isPrerelease = (ecosystem: Ecosystem, version: string): boolean => {
  const order = versionOrders[ecosystem];
  const normalized = order?.normalize(version);
  return order && normalized !== undefined
    ? order.isPrerelease(normalized)
    : isBeforeRelease(version);
};
