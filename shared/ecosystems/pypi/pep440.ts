/** Returns a case-insensitive pattern for words. It uses no flag, because patterns in OpenAPI have none. */
const inAnyCase = (...words: readonly string[]): string =>
  words
    .map((word) => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`))
    .join('|');

/**
 * Pattern of a PEP 440 version, from appendix B of PEP 440. Numbers stay text: JavaScript numbers cannot hold a
 * 17-digit timestamp exactly, and two versions must never become one.
 */
export const pep440 = /* @__PURE__ */ new RegExp(
  [
    '^[vV]?(?:(?<epoch>[0-9]+)!)?',
    '(?<release>[0-9]+(?:\\.[0-9]+)*)',
    `(?:[-_.]?(?<preLabel>${inAnyCase('alpha', 'a', 'beta', 'b', 'preview', 'pre', 'c', 'rc')})[-_.]?(?<preNumber>[0-9]+)?)?`,
    `(?<post>-(?<postImplicit>[0-9]+)|[-_.]?(?:${inAnyCase('post', 'rev', 'r')})[-_.]?(?<postNumber>[0-9]+)?)?`,
    `(?<dev>[-_.]?${inAnyCase('dev')}[-_.]?(?<devNumber>[0-9]+)?)?`,
    '(?:\\+(?<local>[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*))?$',
  ].join(''),
);

const preLabels: Readonly<Record<string, string>> = {
  alpha: 'a',
  beta: 'b',
  c: 'rc',
  pre: 'rc',
  preview: 'rc',
};

/** Returns a number without leading zeros; `0` for none. */
export const dropLeadingZeros = (digits: string | undefined): string =>
  (digits ?? '0').replace(/^0+(?=[0-9])/, '');

const canonicalizeRelease = (release: string): string => {
  const numbers = release.split('.').map(dropLeadingZeros);
  const last = numbers.findLastIndex((number) => number !== '0');
  return numbers.slice(0, Math.max(last, 0) + 1).join('.');
};

const canonicalizeLocal = (local: string): string =>
  local
    .toLowerCase()
    .split(/[-_.]/)
    .map((part) => (/^[0-9]+$/.test(part) ? dropLeadingZeros(part) : part))
    .join('.');

const canonicalizePre = (groups: Partial<Record<string, string>>): string => {
  const label = groups['preLabel']?.toLowerCase();
  return label ? `${preLabels[label] ?? label}${dropLeadingZeros(groups['preNumber'])}` : '';
};

const canonicalizePost = (groups: Partial<Record<string, string>>): string =>
  groups['post'] ? `.post${dropLeadingZeros(groups['postImplicit'] ?? groups['postNumber'])}` : '';

/** Returns the canonical version without trailing zeros (1.0 equals 1.0.0); undefined if it is no PEP 440 version. */
export const canonicalizePep440 = (version: string): string | undefined => {
  const groups = pep440.exec(version)?.groups as Partial<Record<string, string>> | undefined;
  if (!groups) return undefined;
  const epoch = dropLeadingZeros(groups['epoch']);
  return [
    epoch === '0' ? '' : `${epoch}!`,
    canonicalizeRelease(groups['release'] ?? ''),
    canonicalizePre(groups),
    canonicalizePost(groups),
    groups['dev'] ? `.dev${dropLeadingZeros(groups['devNumber'])}` : '',
    groups['local'] ? `+${canonicalizeLocal(groups['local'])}` : '',
  ].join('');
};

const compareNumbers = (one: string, other: string): number =>
  one.length === other.length
    ? one < other
      ? -1
      : Number(one > other)
    : one.length - other.length;

const compareReleases = (one: string, other: string): number => {
  const [left, right] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareNumbers(left[at] ?? '0', right[at] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Parts of a canonical version. Their numbers are texts for `compareNumbers`. */
const canonicalParts =
  /^(?:(?<epoch>\d+)!)?(?<release>[\d.]*\d)(?:(?<label>a|b|rc)(?<pre>\d+))?(?:\.post(?<post>\d+))?(?:\.dev(?<dev>\d+))?(?:\+.*)?$/;

/** Returns the rank of a version's phase: -1 for development, 0 to 2 for a, b and rc, 3 for a release. */
const rankPhase = (groups: Partial<Record<string, string>>): number => {
  if (groups['label']) return ['a', 'b', 'rc'].indexOf(groups['label']);
  return groups['dev'] !== undefined && groups['post'] === undefined ? -1 : 3;
};

/** True for prereleases and development releases, which installers choose only on request. */
export const isPrerelease = (version: string): boolean => {
  const groups = pep440.exec(version)?.groups;
  return groups?.['preLabel'] !== undefined || groups?.['dev'] !== undefined;
};

/** Returns a number below 0 if `one` is older than `other`. Ignores local labels (`+…`); an invalid one is oldest. */
export const comparePep440 = (one: string, other: string): number => {
  const [left, right] = [one, other].map(
    (version) => canonicalParts.exec(canonicalizePep440(version) ?? '')?.groups,
  );
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  const absent = (value: string | undefined, rank: string): string => value ?? rank;
  const endless = '9'.repeat(300);
  return (
    compareNumbers(absent(left['epoch'], '0'), absent(right['epoch'], '0')) ||
    compareReleases(left['release'] ?? '0', right['release'] ?? '0') ||
    rankPhase(left) - rankPhase(right) ||
    compareNumbers(absent(left['pre'], '0'), absent(right['pre'], '0')) ||
    compareNumbers(absent(left['post'], ''), absent(right['post'], '')) ||
    compareNumbers(absent(left['dev'], endless), absent(right['dev'], endless))
  );
};
