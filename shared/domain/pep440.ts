/** The words as a pattern that needs no flag: the document of the API has no other way to say so. */
const inAnyCase = (...words: readonly string[]): string =>
  words
    .map((word) => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`))
    .join('|');

/**
 * PEP 440 versions, after the pattern in its appendix B. Numbers stay text: a release such as a 17-digit timestamp
 * is beyond what a JavaScript number holds exactly, and two versions must never become one.
 */
export const pep440 = new RegExp(
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

const dropLeadingZeros = (digits: string | undefined): string =>
  (digits ?? '0').replace(/^0+(?=[0-9])/, '');

const canonicalizeRelease = (release: string): string =>
  release
    .split('.')
    .map(dropLeadingZeros)
    .join('.')
    .replace(/(?:\.0)+$/, '');

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

/** The canonical form, without trailing zeros in the release (1.0 equals 1.0.0); undefined if it is no PEP 440 version. */
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
