import { compareOrder } from '../../util/compare-order.ts';

/** Matches SemVer as people also write it: with a `v`, with fewer than three numbers, and with leading zeros. */
const looseSemver =
  /^[v=]?0*(\d+)(?:\.0*(\d+))?(?:\.0*(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
const maxLength = 256;

/** Returns a version with three numbers and without build metadata, which SemVer ignores; undefined for other text. */
export const normalizeSemver = (text: string): string | undefined => {
  const trimmed = text.trim();
  const match = trimmed.length <= maxLength ? looseSemver.exec(trimmed) : null;
  if (!match) return undefined;
  const [, major = '0', minor = '0', patch = '0', prerelease] = match;
  return `${major}.${minor}.${patch}${prerelease ? `-${prerelease}` : ''}`;
};

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

const compareIdentifiers = (one: string, other: string): number => {
  if (isNumber(one) && isNumber(other)) return compareOrder(BigInt(one), BigInt(other));
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1;
  return compareOrder(one, other);
};

const compareLists = (ones: readonly string[], others: readonly string[]): number => {
  for (const [at, one] of ones.entries()) {
    const other = others[at];
    const order = other === undefined ? 1 : compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return ones.length - others.length;
};

/** Splits a normalized version into its numbers and the identifiers of its pre-release. */
const split = (version: string): readonly [numbers: string[], prerelease: string[]] => {
  const hyphen = version.indexOf('-');
  if (hyphen < 0) return [version.split('.'), []];
  return [version.slice(0, hyphen).split('.'), version.slice(hyphen + 1).split('.')];
};

/** Compares two normalized versions by the precedence of SemVer 2.0.0. A pre-release is older than its release. */
export const compareSemver = (one: string, other: string): number => {
  const [numbers, prerelease] = split(one);
  const [otherNumbers, otherPrerelease] = split(other);
  const order = compareLists(numbers, otherNumbers);
  if (order !== 0) return order;
  if (prerelease.length === 0 || otherPrerelease.length === 0) {
    return otherPrerelease.length - prerelease.length;
  }
  return compareLists(prerelease, otherPrerelease);
};

/** True if a normalized version is a pre-release of SemVer, such as `1.0.0-beta.2`. */
export const isSemverPrerelease = (version: string): boolean => version.includes('-');
