import { findHiddenFault, hasControlCharacters, longestIdentity } from './characters.ts';
import { readScopes } from './scope.ts';

/** Whether the text is the name of a hash, such as `sha256`. In front of anything but a digest it is a digest gone wrong. */
const isHashName = (label: string): boolean => /^\s*sha-?\d+\s*$/i.test(label);

/** Whether it is scopes without a label before them, or a slash by another character, behind which scopes would say nothing. */
const looksLikeScopes = (label: string): boolean =>
  readScopes(label) !== undefined || label.normalize('NFKC').includes('/');

/**
 * Whether a token's entry in the token list can begin with this label. It stands in for who submits and decides, and so
 * has to be what an identity has to be. A slash behind it leads to the token's scopes.
 */
export const isTokenLabel = (label: string): boolean =>
  label.trim() !== '' &&
  label.length <= longestIdentity &&
  label.isWellFormed() &&
  !/[:,/]/.test(label) &&
  !hasControlCharacters(label) &&
  findHiddenFault(label) === undefined &&
  !isHashName(label) &&
  !looksLikeScopes(label);
