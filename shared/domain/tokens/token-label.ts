import { findHiddenFault, hasControlCharacters, longestIdentity } from '../../util/characters.ts';
import { foldLookAlikes, hasSlash } from '../packages/look-alikes.ts';
import { isReservedName } from './reserved-name.ts';
import { readScopes, scopes } from './scope.ts';

/** True for the name of a hash, such as `sha256`. Before anything but a digest, it indicates a malformed digest. */
const isHashName = (label: string): boolean => /^\s*sha-?\d+\s*$/i.test(label);

/**
 * Matches a character of a word. Click letters, modifier letters and overlays look like separators and are excluded.
 */
const inWord = /[[\p{L}\p{N}\p{M}]--[\p{Lm}\u01c0-\u01c3\u0337\u0338]]/v;

/** Returns the words of a label with look-alike characters folded, separated by blanks. */
const toWords = (label: string): string =>
  [...label.normalize('NFKC')]
    .map((character) => (inWord.test(character) ? foldLookAlikes(character) : ' '))
    .join('')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();

const scopeNames: readonly string[] = scopes.map(foldLookAlikes);

/**
 * True if a label ends in a scope name, as in `alice submit`. An entry without scopes has all of them, but such an
 * entry was probably meant to have only that one.
 */
export const endsInScope = (label: string): boolean =>
  scopeNames.includes(toWords(label).split(' ').at(-1) ?? '');

/**
 * True if a text can be the label of a token. A label identifies submitters and deciders, so it must be a valid
 * identity, and not the registry's own. It must not contain a slash or a look-alike, because a slash separates the scopes.
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
  !isReservedName(label) &&
  readScopes(label) === undefined;
