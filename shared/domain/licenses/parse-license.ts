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

/** Longer texts and expressions of more terms are refused: no real license needs them. */
const maxLicenseLength = 2048;
export const maxLicenseTerms = 50;

const addException = (license: string, exception: string | undefined): LicenseTerm =>
  exception === undefined ? { license } : { license, exception };

/** A deprecated identifier may stand for a license with an exception; an exception written beside it wins. */
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

/** `(Acme EULA)` is `Acme EULA`: parentheses around a whole name say nothing. */
const dropParentheses = (text: string): string => {
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1]?.trim();
  return inner ? inner : text;
};

/** What is read whole is one name, and so is what says `or later`: its operators are no operators of an expression. */
const parseWords = (text: string): LicenseExpression | undefined =>
  saysOrLater(text) || readWholeName(text) ? { license: text } : tryToParse(parseMixed, text);

/**
 * A license as people write it: an SPDX expression, its identifiers in any case and the deprecated ones replaced; an
 * organisation's own names may stand among them, and a text without identifiers is one such name. Undefined if it is
 * blank, too long, malformed (`MIT OR`) or has more than 50 terms.
 */
export const parseLicense = (text: string): LicenseExpression | undefined => {
  const trimmed = dropParentheses(text.trim().replace(/\s+/g, ' '));
  if (trimmed === '' || trimmed.length > maxLicenseLength) return undefined;
  const tree = tryToParse(parseSpdx, spellLicense(trimmed)) ?? parseWords(trimmed);
  return tree && listTerms(tree).length <= maxLicenseTerms ? tree : undefined;
};

/** The one license that a text names; undefined for a combination, too. */
export const parseTerm = (text: string): LicenseTerm | undefined => {
  const tree = parseLicense(text);
  return tree && !isCombination(tree) ? tree : undefined;
};
