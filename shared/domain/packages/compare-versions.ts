import { compareOrder } from '../../util/compare-order.ts';

/** Pre-release words, earliest first. Unknown words also precede a release. */
const words = ['dev', 'alpha', 'a', 'beta', 'b', 'milestone', 'm', 'rc', 'cr', 'c', 'snapshot'];
const released = ['', 'final', 'ga', 'release'];
const afterRelease = ['post', 'sp', 'rev', 'r', 'patch'];

/**
 * Part of a version: a number, or a word with its rank. The rank is below 0 before a release, 0 for a release and above
 * 0 after it.
 */
type Part = { readonly number: bigint } | { readonly rank: number; readonly word: string };

const rankWord = (word: string): number => {
  if (released.includes(word)) return 0;
  if (afterRelease.includes(word)) return 1;
  const rank = words.indexOf(word);
  return rank < 0 ? -1 : rank - words.length - 1;
};

/** Removes zeros at the end and before a word: `1.0.0-rc` becomes `1-rc`. */
const dropEmptyEnds = (parts: readonly Part[]): Part[] => {
  const kept: Part[] = [];
  for (const part of parts.toReversed()) {
    const next = kept.at(-1);
    const isEmpty = 'number' in part && part.number === 0n;
    if (!isEmpty || (next && 'number' in next)) kept.push(part);
  }
  return kept.toReversed();
};

const splitVersion = (version: string): Part[] => {
  const parts =
    version
      .toLowerCase()
      .replace(/^v(?=\d)/, '')
      .match(/\d+|[a-z]+/g) ?? [];
  return dropEmptyEnds(
    parts.map((part) =>
      /^\d/.test(part) ? { number: BigInt(part) } : { rank: rankWord(part), word: part },
    ),
  );
};

/** Returns the word of a part. All words for a release are equal. */
const toWord = (part: { rank: number; word: string } | undefined): string =>
  part && part.rank !== 0 ? part.word : '';

/** Compares two parts. A missing part counts as zero beside a number, and as a release beside a word. */
const compareParts = (one: Part | undefined, other: Part | undefined): number => {
  if (one && 'number' in one) {
    if (other && !('number' in other)) return 1;
    return compareOrder(one.number, other?.number ?? 0n);
  }
  if (other && 'number' in other) return one ? -1 : compareOrder(0n, other.number);
  return compareOrder(one?.rank ?? 0, other?.rank ?? 0) || compareOrder(toWord(one), toWord(other));
};

/**
 * Compares two versions by common conventions, independent of the ecosystem. Numbers compare by value, and `alpha`,
 * `beta` or `rc` precede the release. Suitable for suggestions only: package managers have their own rules.
 * @returns a negative number if the first precedes, a positive number if the second precedes
 */
export const compareVersions = (one: string, other: string): number => {
  const [ones, others] = [splitVersion(one), splitVersion(other)];
  for (let at = 0; at < Math.max(ones.length, others.length); at += 1) {
    const order = compareParts(ones[at], others[at]);
    if (order !== 0) return order;
  }
  return 0;
};

/** True if a version looks like a pre-release: an alpha, a beta or a release candidate. */
export const isBeforeRelease = (version: string): boolean =>
  splitVersion(version).some((part) => 'word' in part && words.includes(part.word));

/** True for a lower-case word that orders the versions of one product, such as `rc`, `final` or `post`. */
export const isPhase = (word: string): boolean =>
  [words, released, afterRelease].some((list) => list.includes(word));
