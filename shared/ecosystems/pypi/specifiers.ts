import {
  canonicalizePep440,
  comparePep440,
  dropLeadingZeros,
  isPrerelease,
  pep440,
} from './pep440.ts';

/** Test of a version. */
type Accepts = (version: string) => boolean;

/** Epoch and release numbers of a version, without leading zeros. */
interface Release {
  readonly epoch: string;
  readonly numbers: readonly string[];
}

const readRelease = (version: string): Release => {
  const { epoch, release = '' } = pep440.exec(version)?.groups ?? {};
  return { epoch: dropLeadingZeros(epoch), numbers: release.split('.').map(dropLeadingZeros) };
};

/** True if a version begins with the epoch and the numbers of the prefix; missing numbers are 0. */
const startsWith = (version: string, prefix: Release): boolean => {
  const { epoch, numbers } = readRelease(version);
  return (
    epoch === prefix.epoch && prefix.numbers.every((number, at) => number === (numbers[at] ?? '0'))
  );
};

/** Returns a canonical version without its local label. */
const toPublic = (version: string): string | undefined =>
  canonicalizePep440(version)?.split('+', 1)[0];

/** True if two versions are equal. A local label counts only if the wanted version has one. */
const isEqual = (version: string, wanted: string): boolean =>
  wanted.includes('+')
    ? canonicalizePep440(version) === canonicalizePep440(wanted)
    : toPublic(version) === toPublic(wanted);

/** Returns the test of `~=`: at least the version, with equal release numbers except the last. */
const toCompatible = (wanted: string): Accepts | undefined => {
  const { epoch, numbers } = readRelease(wanted);
  if (numbers.length < 2) return undefined;
  const prefix = { epoch, numbers: numbers.slice(0, -1) };
  return (version) => comparePep440(version, wanted) >= 0 && startsWith(version, prefix);
};

/** Returns the version that a prerelease precedes: `1.2` for `1.2rc1`, and `1.2.post1` for `1.2.post1.dev3`. */
const toFinal = (version: string): string | undefined =>
  toPublic(version)?.replace(/(?:a|b|rc)\d+.*$|\.dev\d+$/, '');

/** Returns the test of `<`, which excludes prereleases of the version itself. */
const toBelow =
  (wanted: string): Accepts =>
  (version) =>
    comparePep440(version, wanted) < 0 &&
    (isPrerelease(wanted) || toFinal(version) !== toPublic(wanted));

/** Returns the version that a post-release follows: `1.2` for `1.2.post1`. */
const dropPost = (version: string): string | undefined =>
  toPublic(version)?.replace(/\.post\d+(?:\.dev\d+)?$/, '');

/** Returns the test of `>`, which excludes post-releases of the version itself. */
const toAbove =
  (wanted: string): Accepts =>
  (version) =>
    comparePep440(version, wanted) > 0 && dropPost(version) !== toPublic(wanted);

const tests: Readonly<Record<string, (wanted: string) => Accepts | undefined>> = {
  '==': (wanted) => (version) => isEqual(version, wanted),
  '!=': (wanted) => (version) => !isEqual(version, wanted),
  '<=': (wanted) => (version) => comparePep440(version, wanted) <= 0,
  '>=': (wanted) => (version) => comparePep440(version, wanted) >= 0,
  '<': toBelow,
  '>': toAbove,
  '~=': toCompatible,
};

/** Returns the test of `== 1.4.*` or `!= 1.4.*`; undefined for any other operator. */
const toPrefixTest = (operator: string, wanted: string): Accepts | undefined => {
  const { groups } = pep440.exec(wanted) ?? {};
  if (groups?.['preLabel'] ?? groups?.['post'] ?? groups?.['dev'] ?? groups?.['local']) {
    return undefined;
  }
  const prefix = readRelease(wanted);
  if (operator === '==') return (version) => startsWith(version, prefix);
  return operator === '!=' ? (version) => !startsWith(version, prefix) : undefined;
};

const readClause = (clause: string): Accepts | undefined => {
  const [, operator = '', wanted = '', star] =
    /^(===|~=|==|!=|<=|>=|<|>)\s*([^\s*]+?)(\.\*)?$/.exec(clause) ?? [];
  if (operator === '===' && !star) {
    return (version) => version.toLowerCase() === wanted.toLowerCase();
  }
  if (!pep440.test(wanted)) return undefined;
  return star ? toPrefixTest(operator, wanted) : tests[operator]?.(wanted);
};

/**
 * Returns the test of version specifiers such as `>=1.0, <2`; undefined if they are invalid. No specifier accepts every
 * version. Prereleases count, because installers use them if no release is in the range. Source: PEP 440.
 */
export const readSpecifiers = (specifiers: string): Accepts | undefined => {
  const clauses = specifiers.split(',').map((clause) => clause.trim());
  const accepts = clauses.filter(Boolean).map(readClause);
  const valid = accepts.filter((one) => one !== undefined);
  if (valid.length < accepts.length) return undefined;
  return (version) => valid.every((accept) => accept(version));
};
