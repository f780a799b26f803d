import type { Info } from 'spdx-expression-parse';
import { findCurrentLicense, findException, spellLicense } from './license-id.ts';

const operator = '(?:AND|OR|WITH)(?![^\\s()])';
/** Parentheses inside a name, such as `(2024)`, rather than around an expression. */
const remark = `\\s*\\((?![^()]*(?<![^\\s()])${operator})[^()]*\\)`;
const tokenPattern = new RegExp(
  `[()]|${operator}|(?:(?!${operator})[^\\s()]+(?:${remark})*\\s*)+`,
  'gi',
);

/** Splits an expression into parentheses, operators and names. A name may have several words. */
const splitTokens = (text: string): string[] =>
  (text.match(tokenPattern) ?? []).map((token) => token.trim());

const isSpdx = (name: string): boolean =>
  findCurrentLicense(name) !== undefined || /^(?:DocumentRef-.+:)?LicenseRef-\S+$/i.test(name);

const isMark = (token: string): boolean => /^(?:AND|OR|WITH|[()])$/i.test(token);

/** True for `LicenseRef-` without a name. */
const isNameless = (token: string): boolean => /^(?:DocumentRef-[^:]*:)?LicenseRef-$/i.test(token);

const failMalformed = (): never => {
  throw new SyntaxError('The license expression has an operator or a parenthesis out of place.');
};

const take = (tokens: string[], wanted: string): boolean => {
  if (tokens[0]?.toUpperCase() !== wanted) return false;
  tokens.shift();
  return true;
};

const takeName = (tokens: string[]): string => {
  const name = tokens.shift();
  return name === undefined || isMark(name) ? failMalformed() : name;
};

/**
 * Takes the exception after WITH. Throws for a license in this position, because it would be mistaken for an exception.
 */
const takeException = (tokens: string[]): string => {
  const name = takeName(tokens);
  return isSpdx(name) ? failMalformed() : (findException(name) ?? name);
};

const takeOperand = (tokens: string[]): Info => {
  if (take(tokens, '(')) {
    const inner = takeChoice(tokens);
    return take(tokens, ')') ? inner : failMalformed();
  }
  const license = spellLicense(takeName(tokens));
  return take(tokens, 'WITH') ? { license, exception: takeException(tokens) } : { license };
};

const takeAll = (tokens: string[]): Info => {
  const left = takeOperand(tokens);
  return take(tokens, 'AND') ? { left, conjunction: 'and', right: takeAll(tokens) } : left;
};

const takeChoice = (tokens: string[]): Info => {
  const left = takeAll(tokens);
  return take(tokens, 'OR') ? { left, conjunction: 'or', right: takeChoice(tokens) } : left;
};

/**
 * Parses an expression that mixes SPDX identifiers and the organisation's own names. Names may contain words such as
 * "and", so a text without any SPDX identifier is one name.
 * @throws {SyntaxError} if the expression is malformed
 */
export const parseMixed = (text: string): Info => {
  const tokens = splitTokens(text);
  if (tokens.every(isMark) || tokens.some(isNameless)) failMalformed();
  if (!tokens.some(isSpdx)) return { license: text };
  const info = takeChoice(tokens);
  return tokens.length === 0 ? info : failMalformed();
};
