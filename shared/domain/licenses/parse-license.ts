import parseSpdx, { type Info } from 'spdx-expression-parse';
import {
  combine,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from './expression.ts';
import { findCurrentLicense, spellLicense } from './license-id.ts';
import { parseMixed } from './mixed-expression.ts';
import { saysOrLater } from './normalize/license-words.ts';
import { readWholeName } from './normalize/normalize-name.ts';

/** Limits of a license expression: characters and terms. No real license needs more. */
const maxLicenseLength = 2048;
export const maxLicenseTerms = 50;

const addException = (license: string, exception: string | undefined): LicenseTerm =>
  exception === undefined ? { license } : { license, exception };

/**
 * Returns the current license of an identifier. A deprecated identifier may include an exception; an explicit exception
 * overrides it.
 */
const toTerm = (written: string, exception: string | undefined): LicenseTerm => {
  const [license = written, own] = (findCurrentLicense(written) ?? written).split(' WITH ');
  return addException(license, exception ?? own);
};

const toTree = (info: Info): LicenseExpression =>
  'conjunction' in info
    ? combine(info.conjunction === 'and' ? 'AND' : 'OR', [toTree(info.left), toTree(info.right)])
    : toTerm(`${info.license}${info.plus ? '+' : ''}`, info.exception);

const tryToParse = (parse: (text: string) => Info, text: string): LicenseExpression | undefined => {
  try {
    return toTree(parse(text));
  } catch {
    return undefined;
  }
};

/** Removes parentheses around a whole name: `(Acme EULA)` becomes `Acme EULA`. */
const dropParentheses = (text: string): string => {
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1]?.trim();
  return inner ? inner : text;
};

/**
 * Parses a text that is no SPDX expression. A recognised license name is one license, and so is a text with `or later`:
 * the `or` in it is no operator.
 */
const parseWords = (text: string): LicenseExpression | undefined =>
  saysOrLater(text) || readWholeName(text) ? { license: text } : tryToParse(parseMixed, text);

/**
 * Parses a license as people write it: an SPDX expression in any case, with deprecated identifiers replaced. An
 * expression may contain the organisation's own names. A text without SPDX identifiers is one such name. Returns
 * undefined if the text is blank, too long, malformed (`MIT OR`) or has more than 50 terms.
 */
export const parseLicense = (text: string): LicenseExpression | undefined => {
  const trimmed = dropParentheses(text.trim().replace(/\s+/g, ' '));
  if (trimmed === '' || trimmed.length > maxLicenseLength) return undefined;
  const tree = tryToParse(parseSpdx, spellLicense(trimmed)) ?? parseWords(trimmed);
  return tree && listTerms(tree).length <= maxLicenseTerms ? tree : undefined;
};

/** Returns the single license that a text names, or undefined for combinations and malformed texts. */
export const parseTerm = (text: string): LicenseTerm | undefined => {
  const tree = parseLicense(text);
  return tree && !isCombination(tree) ? tree : undefined;
};
