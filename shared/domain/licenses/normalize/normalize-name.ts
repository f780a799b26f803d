import { findKnownLicense } from '../catalogue.ts';
import { combine, type LicenseExpression, type LicenseTerm, listTerms } from '../expression.ts';
import { findCurrentLicense } from '../license-id.ts';
import { findVersion, type NamedLicense, readWords } from './normalize-words.ts';

/** SPDX's own word for what nobody says: in a reading it stands for the words that could not be read. */
export const noAssertion = 'NOASSERTION';

/** The licenses of the version that is named; all of them where there is none. */
const chooseVersion = ({ licenses, isFamily, version }: NamedLicense): readonly string[] =>
  isFamily && version !== undefined
    ? licenses.filter((license) => findVersion(license) === version)
    : licenses;

/** Without `-only` and its kin, so that all ways to name one version are the same. */
const listBases = (name: NamedLicense): string[] =>
  chooseVersion(name).map((license) => license.replace(/-(?:only|or-later)$/, ''));

const isWithin = (inner: NamedLicense, outer: NamedLicense): boolean => {
  const bases = new Set(listBases(outer));
  return listBases(inner).every((base) => bases.has(base));
};

/** `GNU GPL v3 (GPLv3)` says one thing twice, and `EPL (Eclipse Public License 1.0)` says which EPL it is. */
const mergeNames = (names: readonly NamedLicense[]): NamedLicense[] => {
  const merged: NamedLicense[] = [];
  for (const name of names.map((read) => ({ ...read }))) {
    const same = merged.find((other) => isWithin(other, name));
    if (same && name.exception !== undefined) same.exception ??= name.exception;
    if (same) continue;
    const vaguer = merged.findIndex((other) => isWithin(name, other));
    const { operator } = merged[vaguer] ?? name;
    merged.splice(vaguer === -1 ? merged.length : vaguer, 1, { ...name, operator });
  }
  return merged;
};

/** The GNU licenses as they were named before `-only`. */
const isOldGnu = (license: string): boolean => /^(?:(?:A|L)?GPL|GFDL)-[0-9.]+$/.test(license);

/** All that a name may mean holds. Only the GNU licenses say themselves that without a version any can be chosen. */
const spellName = (name: NamedLicense): LicenseExpression => {
  const { exception, orLater = false } = name;
  const licenses = chooseVersion(name);
  const isAnyVersion = name.version === undefined && licenses.every(isOldGnu);
  const terms = (isAnyVersion ? licenses.slice(0, 1) : licenses).map((license): LicenseTerm => {
    const plus = orLater || isAnyVersion ? '+' : '';
    const current = findCurrentLicense(`${license}${plus}`) ?? license;
    return exception === undefined ? { license: current } : { license: current, exception };
  });
  return combine('AND', terms);
};

type Spell = (name: NamedLicense) => LicenseExpression;

/** Any of what a name may mean; which exceptions there are and whether later versions will do makes no difference. */
export const spellVaguely: Spell = (name) =>
  combine(
    'OR',
    listBases(name).map((license) => ({ license })),
  );

/** Once both operators occur, it is open which of them goes first: then all holds. So does what an "and" says once more. */
const joinNames = (names: readonly NamedLicense[], spell: Spell): LicenseExpression => {
  const merged = mergeNames(names);
  const isChoice =
    merged.slice(1).every(({ operator }) => operator === 'OR') &&
    names.every(({ operator, isBeside }) => operator === 'OR' || isBeside);
  return combine(isChoice ? 'OR' : 'AND', merged.map(spell));
};

const isRestrictive = ({ license }: LicenseTerm): boolean => {
  const category = findKnownLicense(license)?.category;
  return category !== 'permissive' && category !== 'public-domain';
};

/** What a text mentions may not get lost in what cannot be read. */
const readMentions = (names: readonly NamedLicense[]): LicenseExpression | undefined => {
  const mentioned = names.flatMap((name) => listTerms(spellName(name))).filter(isRestrictive);
  return mentioned.length > 0
    ? combine('AND', [...mentioned, { license: noAssertion }])
    : undefined;
};

const isBalanced = (text: string): boolean => {
  let depth = 0;
  for (const bracket of text.match(/[()]/g) ?? []) {
    depth += bracket === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
};

/** The expression that a text says in words, such as `GNU GPL v3 or MIT License`; undefined if not every word is read. */
export const readWholeName = (
  text: string,
  spell: Spell = spellName,
): LicenseExpression | undefined => {
  if (!isBalanced(text)) return undefined;
  const { names, isWhole } = readWords(text);
  const isKnown = names.every((name) => chooseVersion(name).length > 0);
  return isWhole && isKnown && names.length > 0 ? joinNames(names, spell) : undefined;
};

/** The names in a text that is read in part; one that means nothing among other words stands alone between "and" and "or". */
const listMentioned = (text: string): NamedLicense[] => [
  ...readWords(text).names.filter(({ isBare }) => !isBare),
  ...text
    .split(/\b(?:and|or)\b/i)
    .map(readWords)
    .flatMap(({ names, isWhole }) => (isWhole ? names.filter(({ isBare }) => isBare) : [])),
];

/**
 * How a text reads that is no SPDX expression: as an expression that is at least as strict as whatever it means. Where
 * it is open which license is meant, all of them hold; where not every word could be read, the copyleft and closed
 * licenses that it mentions, and NOASSERTION. Undefined if nothing is read.
 */
export const readName = (text: string): LicenseExpression | undefined => {
  const whole = readWholeName(text);
  if (whole) return whole;
  const mentioned = listMentioned(text).map((name) =>
    chooseVersion(name).length > 0 ? name : { ...name, isFamily: false },
  );
  return readMentions(mergeNames(mentioned));
};
