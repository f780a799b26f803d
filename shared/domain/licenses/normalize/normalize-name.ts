import { findKnownLicense } from '../catalogue.ts';
import {
  combine,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
  noAssertion,
} from '../expression.ts';
import { findCurrentLicense } from '../license-id.ts';
import { findVersion, type NamedLicense, readWords } from './normalize-words.ts';

/** Returns the licenses of the named version, or all licenses of the family without a version. */
const chooseVersion = ({ licenses, isFamily, version }: NamedLicense): readonly string[] =>
  isFamily && version !== undefined
    ? licenses.filter((license) => findVersion(license) === version)
    : licenses;

/** Returns license identifiers without `-only` and `-or-later`, so that all names of one version are equal. */
const listBases = (name: NamedLicense): string[] =>
  chooseVersion(name).map((license) => license.replace(/-(?:only|or-later)$/, ''));

const isWithin = (inner: NamedLicense, outer: NamedLicense): boolean => {
  const bases = new Set(listBases(outer));
  return listBases(inner).every((base) => bases.has(base));
};

/**
 * Merges names of the same license. `GNU GPL v3 (GPLv3)` repeats a name; in `EPL (Eclipse Public License 1.0)` the
 * second name adds the version.
 */
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

/** True for a GNU license identifier without `-only` or `-or-later`. */
const isOldGnu = (license: string): boolean => /^(?:(?:A|L)?GPL|GFDL)-[0-9.]+$/.test(license);

/**
 * Returns the expression of a name. If several licenses are possible, all apply (AND). Only GNU licenses themselves
 * permit any version if none is given.
 */
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

/** Returns all licenses that a name may mean, joined by OR. Exceptions and "or later" are ignored. */
export const spellVaguely: Spell = (name) =>
  combine(
    'OR',
    listBases(name).map((license) => ({ license })),
  );

/**
 * Joins names into one expression. Texts with both operators are ambiguous, so all licenses apply (AND). The same holds
 * for names repeated after "and".
 */
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

/**
 * Returns the restrictive licenses that a partly recognised text mentions, with NOASSERTION for the rest. Returns
 * undefined if it mentions none.
 */
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

/**
 * Returns the expression of a text in words, such as `GNU GPL v3 or MIT License`. Returns undefined unless every word
 * is recognised.
 */
export const readWholeName = (
  text: string,
  spell: Spell = spellName,
): LicenseExpression | undefined => {
  if (!isBalanced(text)) return undefined;
  const { names, isWhole } = readWords(text);
  const isKnown = names.every((name) => chooseVersion(name).length > 0);
  return isWhole && isKnown && names.length > 0 ? joinNames(names, spell) : undefined;
};

/** Returns the names in a partly recognised text. Bare names count only if they are alone between "and" and "or". */
const listMentioned = (text: string): NamedLicense[] => [
  ...readWords(text).names.filter(({ isBare }) => !isBare),
  ...text
    .split(/\b(?:and|or)\b/i)
    .map(readWords)
    .flatMap(({ names, isWhole }) => (isWhole ? names.filter(({ isBare }) => isBare) : [])),
];

/**
 * Returns an expression for a text that is no SPDX expression, at least as strict as its meaning. If several licenses
 * are possible, all apply (AND). If some words are not recognised, returns the mentioned copyleft and closed licenses
 * with NOASSERTION. Returns undefined if nothing is recognised.
 */
export const readName = (text: string): LicenseExpression | undefined => {
  const whole = readWholeName(text);
  if (whole) return whole;
  const mentioned = listMentioned(text).map((name) =>
    chooseVersion(name).length > 0 ? name : { ...name, isFamily: false },
  );
  return readMentions(mergeNames(mentioned));
};
