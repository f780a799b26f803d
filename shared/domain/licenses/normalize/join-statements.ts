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
import { parseLicense } from '../parse-license.ts';
import { splitWords } from './license-words.ts';
import { readWholeName, spellVaguely } from './normalize-name.ts';

const readTermVaguely = (term: LicenseTerm): LicenseExpression => {
  const known = hasUnknownAddition(term) ? undefined : findKnownLicense(term.license);
  if (known) return { license: known.name.replace(/-(?:only|or-later)$/, '') };
  const text = formatLicense(term);
  return readWholeName(text, spellVaguely) ?? { license: text.toLowerCase() };
};

/** A choice where it is open which license is meant, so that whoever names one of them says more. */
const readTreeVaguely = (tree: LicenseExpression): LicenseExpression =>
  isCombination(tree)
    ? combine(tree.operator, tree.operands.map(readTreeVaguely))
    : readTermVaguely(tree);

/** A text that is no expression is like none other. */
const readVaguely = (text: string): LicenseExpression => {
  const tree = parseLicense(text);
  return tree ? readTreeVaguely(tree) : { license: text };
};

const listOperands = (
  tree: LicenseExpression,
  operator: 'AND' | 'OR',
): readonly LicenseExpression[] =>
  isCombination(tree) && tree.operator === operator ? tree.operands : [];

/** Whether whoever keeps to the first expression keeps to the second. */
const implies = (first: LicenseExpression, second: LicenseExpression): boolean => {
  if (!isCombination(first) && !isCombination(second)) return first.license === second.license;
  const choices = listOperands(first, 'OR');
  if (choices.length > 0) return choices.every((choice) => implies(choice, second));
  const demands = listOperands(second, 'AND');
  if (demands.length > 0) return demands.every((demand) => implies(first, demand));
  return (
    listOperands(first, 'AND').some((part) => implies(part, second)) ||
    listOperands(second, 'OR').some((choice) => implies(first, choice))
  );
};

/** Whether a statement on a license says all that another one says. */
export const isCovered = (other: string, statement: string): boolean =>
  implies(readVaguely(statement), readVaguely(other));

const hasOperator = (text: string): boolean =>
  splitWords(text).some((word) => word === 'and' || word === 'or');

/** In brackets where an AND beside it would take only a part of it. */
const toOperand = (tree: LicenseExpression): string => {
  const text = formatLicense(tree);
  const isOpen = isCombination(tree) ? tree.operator === 'OR' : hasOperator(text);
  return isOpen ? `(${text})` : text;
};

/**
 * The license of a package that states it twice: both statements hold, so that neither hides the other. Where one says
 * all that the other says, such as `BSD-3-Clause` beside `BSD`, it is that one; and one that is no license expression,
 * which has to be mended before all.
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
 * The license of a package, beside which licenses are listed without saying whether all hold or one is chosen. The list
 * adds nothing where it names the same ones.
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
