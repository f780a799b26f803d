import { findKnownLicense } from '../catalogue.ts';
import { hasUnknownAddition } from '../exceptions.ts';
import {
  combine,
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from '../expression.ts';
import { implies } from '../implies.ts';
import { parseLicense } from '../parse-license.ts';
import { splitWords } from './license-words.ts';
import { readWholeName, spellVaguely } from './normalize-name.ts';

const readTermVaguely = (term: LicenseTerm): LicenseExpression => {
  const known = hasUnknownAddition(term) ? undefined : findKnownLicense(term.license);
  if (known) return { license: known.name.replace(/-(?:only|or-later)$/, '') };
  const text = formatLicense(term);
  return readWholeName(text, spellVaguely) ?? { license: text.toLowerCase() };
};

/**
 * Returns the expression with OR between all licenses that an ambiguous name may mean. A statement with one of them is
 * then more specific.
 */
const readTreeVaguely = (tree: LicenseExpression): LicenseExpression =>
  isCombination(tree)
    ? combine(tree.operator, tree.operands.map(readTreeVaguely))
    : readTermVaguely(tree);

/** Returns a text's expression with ambiguous names as OR. A text without expression is a unique license. */
const readVaguely = (text: string): LicenseExpression => {
  const tree = parseLicense(text);
  return tree ? readTreeVaguely(tree) : { license: text };
};

/** True if license statement `statement` covers everything in `other`. */
export const isCovered = (other: string, statement: string): boolean =>
  implies(readVaguely(statement), readVaguely(other));

const hasOperator = (text: string): boolean =>
  splitWords(text).some((word) => word === 'and' || word === 'or');

/** Returns an operand of AND, in parentheses if precedence requires them. */
const toOperand = (tree: LicenseExpression): string => {
  const text = formatLicense(tree);
  const isOpen = isCombination(tree) ? tree.operator === 'OR' : hasOperator(text);
  return isOpen ? `(${text})` : text;
};

/**
 * Joins two license statements of a package with AND, so that neither hides the other. If one statement covers the
 * other, such as `BSD-3-Clause` and `BSD`, returns the more specific one. If one is malformed, returns that one,
 * because it must be corrected first.
 */
export const joinStatements = (
  first: string | undefined,
  second: string | undefined,
): string | undefined => {
  if (!first || !second) return first || second;
  const [one, other] = [parseLicense(first), parseLicense(second)];
  if (!one) return first;
  if (!other) return second;
  if (isCovered(second, first)) return first;
  if (isCovered(first, second)) return second;
  return `${toOperand(one)} AND ${toOperand(other)}`;
};

/**
 * Joins a package's license statement with its list of licenses. The list does not say whether all apply or one may be
 * chosen. A list of the same licenses adds nothing.
 */
export const joinListed = (
  statement: string | undefined,
  listed: readonly string[],
): string | undefined => {
  if (statement && listed.length > 0) {
    const [stated, names] = [readVaguely(statement), listed.map(readVaguely)];
    const isSame =
      implies(stated, combine('OR', names)) &&
      implies(combine('AND', listTerms(stated)), combine('AND', names));
    if (isSame) return statement;
  }
  return listed.reduce(joinStatements, statement);
};
