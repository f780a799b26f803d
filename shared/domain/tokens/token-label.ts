import { findHiddenFault, hasControlCharacters, longestIdentity } from '../../util/characters.ts';
import { foldLookAlikes, hasSlash } from '../packages/look-alikes.ts';
import { readScopes, scopes } from './scope.ts';

/** Whether the text is the name of a hash, such as `sha256`. In front of anything but a digest it is a digest gone wrong. */
const isHashName = (label: string): boolean => /^\s*sha-?\d+\s*$/i.test(label);

/** Part of a word. No click letter, modifier letter or overlay: these look like signs that stand between words. */
const inWord = /[[\p{L}\p{N}\p{M}]--[\p{Lm}\u01c0-\u01c3\u0337\u0338]]/v;

/** The words of a label, by what they look like, with a blank for everything between them. */
const toWords = (label: string): string =>
  [...label.normalize('NFKC')]
    .map((character) => (inWord.test(character) ? foldLookAlikes(character) : ' '))
    .join('')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();

const scopeNames: readonly string[] = scopes.map(foldLookAlikes);

/**
 * Whether a label ends in the name of a scope, as in `alice submit`. An entry without scopes is for everything, and one
 * with such a label was most likely meant to have that scope alone.
 */
export const endsInScope = (label: string): boolean =>
  scopeNames.includes(toWords(label).split(' ').at(-1) ?? '');

/**
 * Whether a token's entry in the token list can begin with this label. It stands in for who submits and decides, and so
 * has to be what an identity has to be. A slash behind it leads to the token's scopes: what looks like one would not.
 */
export const isTokenLabel = (label: string): boolean =>
  label.trim() !== '' &&
  label.length <= longestIdentity &&
  label.isWellFormed() &&
  !/[:,]/.test(label) &&
  !hasSlash(label) &&
  !hasControlCharacters(label) &&
  findHiddenFault(label) === undefined &&
  !isHashName(label) &&
  readScopes(label) === undefined;
