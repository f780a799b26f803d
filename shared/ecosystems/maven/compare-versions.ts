import { compareOrder } from '../../util/compare-order.ts';

/** Ranks of known qualifiers, lowest first. Unknown qualifiers come after these, in alphabetical order. */
const ranks: Readonly<Record<string, number>> = {
  alpha: 0,
  beta: 1,
  milestone: 2,
  rc: 3,
  cr: 3,
  snapshot: 4,
  '': 5,
  final: 5,
  ga: 5,
  release: 5,
  sp: 6,
};
const otherRank = 7;

const shortForms: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };

/** A number or a qualifier with its rank, and whether a hyphen precedes it. */
interface Token {
  readonly isHyphened: boolean;
  readonly number?: bigint;
  readonly rank: number;
  /** Text of an unknown qualifier, for alphabetical order; empty for known qualifiers and numbers. */
  readonly word: string;
}

const toToken = ([, separator, text = '', next]: RegExpMatchArray): Token => {
  const isHyphened = separator !== '.';
  if (text === '' || /^\d/.test(text)) {
    return { isHyphened, number: BigInt(text || 0), rank: otherRank, word: '' };
  }
  const word = (next && shortForms[text]) || text;
  const rank = ranks[word] ?? otherRank;
  return { isHyphened, rank, word: rank === otherRank ? word : '' };
};

const isNull = ({ number, rank }: Token): boolean =>
  number === undefined ? rank === ranks[''] : number === 0n;

/** Removes null tokens at the end, and before each hyphen or qualifier: `1.0.0.rc` equals `1-rc`. */
const trim = (tokens: readonly Token[]): Token[] => {
  const kept: Token[] = [];
  for (const token of tokens.toReversed()) {
    const next = kept.at(-1);
    const isFollowed = next?.number !== undefined && !next.isHyphened;
    if (!isNull(token) || isFollowed) kept.push(token);
  }
  return kept.toReversed();
};

/** Splits a version into tokens. A transition between digits and letters counts as a hyphen. */
const tokenize = (version: string): Token[] =>
  trim(
    [
      ...version
        .toLowerCase()
        .matchAll(/(^|[._-]|(?<=\d)(?=[^\d._-])|(?<=[^\d._-])(?=\d))(\d+|[^\d._-]*)(?=(\d?))/g),
    ].map(toToken),
  );

/** Returns the null token that pads a shorter version for a comparison with this token. */
const padFor = ({ isHyphened, number }: Token): Token => ({
  ...{ isHyphened, rank: ranks[''] ?? 0, word: '' },
  ...(number !== undefined && { number: 0n }),
});

const compareTokens = (one: Token, other: Token): number => {
  if (one.number === undefined || other.number === undefined) {
    if (one.number !== undefined) return 1;
    if (other.number !== undefined) return -1;
    return compareOrder(one.rank, other.rank) || compareOrder(one.word, other.word);
  }
  if (one.isHyphened !== other.isHyphened) return one.isHyphened ? -1 : 1;
  return compareOrder(one.number, other.number);
};

/**
 * Compares two versions in Maven's order. Source: "Version Order Specification" in the POM reference.
 * @returns below 0 if `one` comes first, above 0 if `other` comes first, 0 if both are equal
 */
export const compareMavenVersions = (one: string, other: string): number => {
  const [left, right] = [tokenize(one), tokenize(other)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at], right[at]];
    const order =
      a && b
        ? compareTokens(a, b)
        : a
          ? compareTokens(a, padFor(a))
          : b
            ? compareTokens(padFor(b), b)
            : 0;
    if (order !== 0) return order;
  }
  return 0;
};

/** True if a version has a qualifier that precedes the release, such as `1.0-rc1` or `1.0-SNAPSHOT`. */
export const isMavenPrerelease = (version: string): boolean =>
  tokenize(version).some(({ number, rank }) => number === undefined && rank < (ranks[''] ?? 0));
