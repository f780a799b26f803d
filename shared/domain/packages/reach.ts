import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { versionOrders } from '../../ecosystems/rules.ts';
import { isPhase } from './compare-versions.ts';
import { canonicalizeVersion } from './package-version.ts';

/** How far an update may be from a version: the first two numbers are equal, the first one is, or none. */
export const reaches = ['patch', 'minor', 'major'] as const;

export type Reach = (typeof reaches)[number];

/** Number of leading numbers, including the epoch, that an update shares with its version. */
const sharedNumbers: Readonly<Record<Reach, number>> = { patch: 3, minor: 2, major: 0 };

const epochAndNumbers = /^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)/i;

/**
 * Returns the epoch and the numbers of a version, without leading zeros. The epoch is 0 except on PyPI. Undefined for
 * a version that does not start with a number, and for images.
 */
export const readNumbers = (
  ecosystem: Ecosystem,
  version: string,
): readonly string[] | undefined => {
  const normalized = versionOrders[ecosystem]?.normalize(version);
  const { epoch = '0', release } = epochAndNumbers.exec(normalized ?? '')?.groups ?? {};
  if (release === undefined) return undefined;
  return [epoch, ...release.split('.')].map((number) => number.replace(/^0+(?=\d)/, ''));
};

/** Returns how many leading numbers are equal, Infinity if all are. Missing numbers are 0. */
export const countShared = (one: readonly string[], other: readonly string[]): number => {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    if ((one[at] ?? '0') !== (other[at] ?? '0')) return at;
  }
  return Number.POSITIVE_INFINITY;
};

/** Returns the words that name a build of Maven, such as `jre` or `jre8`, without words such as `rc`, `final` or `v`. */
const listFlavors = (version: string): string =>
  [...version.toLowerCase().matchAll(/([a-z]+)\d*/g)]
    .flatMap(([text, word = '']) => (word === 'v' || isPhase(word) ? [] : [text]))
    .join(' ');

/**
 * Returns the variant of a version: the flavor on Maven, and the local label on PyPI. An update never changes it: a build
 * of Guava for Android does not replace the one for the JRE, although it can have the higher version.
 */
const readVariant = (ecosystem: Ecosystem, version: string): string => {
  if (ecosystem === 'maven') return listFlavors(version);
  const label =
    ecosystem === 'pypi' ? canonicalizeVersion(ecosystem, version).split('+', 2)[1] : '';
  return label ?? '';
};

/** First number from which it is a year or a date. */
const firstYear = 1900;

/** True if a Maven version is a date. Some artifacts, such as commons-io, have old versions that are dates. */
const isDate = (ecosystem: Ecosystem, [, first]: readonly string[]): boolean =>
  ecosystem === 'maven' && Number(first) >= firstYear;

/**
 * True if `to` is within reach of `from`. `patch`: their first two numbers are equal; `minor`: their first number is;
 * `major`: any numbers. Below `major`, the epoch of PyPI is equal, too. False for images, for another variant of the
 * version, and between a date and another version of Maven.
 */
export const isWithinReach = (
  ecosystem: Ecosystem,
  from: string,
  to: string,
  reach: Reach,
): boolean => {
  const [one, other] = [from, to].map((version) => readNumbers(ecosystem, version));
  if (!one || !other || isDate(ecosystem, one) !== isDate(ecosystem, other)) return false;
  return (
    countShared(one, other) >= sharedNumbers[reach] &&
    readVariant(ecosystem, from) === readVariant(ecosystem, to)
  );
};
