/** Words before and after a release, earliest first; what is no number and not among them comes before a release. */
const words = ['dev', 'alpha', 'a', 'beta', 'b', 'milestone', 'm', 'rc', 'cr', 'c', 'snapshot'];
const released = ['', 'final', 'ga', 'release'];
const afterRelease = ['post', 'sp', 'rev', 'r', 'patch'];

/** A number, or a word by how early it comes: below 0 before a release, 0 as one, above 0 after it. */
type Part = { readonly number: bigint } | { readonly rank: number; readonly word: string };

const rankWord = (word: string): number => {
  if (released.includes(word)) return 0;
  if (afterRelease.includes(word)) return 1;
  const rank = words.indexOf(word);
  return rank < 0 ? -1 : rank - words.length - 1;
};

/** Zeros say nothing where no other number follows before the next word: `1.0.0-rc` is `1-rc`. */
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

const sign = (one: bigint | number | string, other: bigint | number | string): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** All words for a release are the same. */
const toWord = (part: { rank: number; word: string } | undefined): string =>
  part && part.rank !== 0 ? part.word : '';

/** The end of a version stands for a zero before a number, and for a release before a word. */
const compareParts = (one: Part | undefined, other: Part | undefined): number => {
  if (one && 'number' in one) {
    if (other && !('number' in other)) return 1;
    return sign(one.number, other?.number ?? 0n);
  }
  if (other && 'number' in other) return one ? -1 : sign(0n, other.number);
  return sign(one?.rank ?? 0, other?.rank ?? 0) || sign(toWord(one), toWord(other));
};

/**
 * Which of two versions comes first, told by how versions are usually written, whatever the ecosystem: numbers by their
 * value, and `alpha`, `beta` or `rc` before the release. Good to say what is near; a package manager has rules of its own.
 * @returns below 0 where the first one does, above 0 where the second one does
 */
export const compareVersions = (one: string, other: string): number => {
  const [ones, others] = [splitVersion(one), splitVersion(other)];
  for (let at = 0; at < Math.max(ones.length, others.length); at += 1) {
    const order = compareParts(ones[at], others[at]);
    if (order !== 0) return order;
  }
  return 0;
};

/** Whether a version is usually written like this before it is released: as an alpha, a beta or a candidate. */
export const isBeforeRelease = (version: string): boolean =>
  splitVersion(version).some((part) => 'word' in part && words.includes(part.word));
