import parseSpdx, { type Info } from 'spdx-expression-parse';
import { findCurrentLicense, spellLicense } from './license-id.ts';
import { parseMixed } from './mixed-expression.ts';

/** One license, by SPDX's identifier or by an organisation's own name, with the exception that comes with it. */
export interface LicenseTerm {
  readonly license: string;
  readonly exception?: string;
}

/** Several licenses: with OR the recipient chooses one, with AND all of them hold. */
export interface LicenseCombination {
  readonly operator: 'AND' | 'OR';
  readonly operands: readonly LicenseExpression[];
}

export type LicenseExpression = LicenseTerm | LicenseCombination;

/** Longer texts and expressions of more terms are refused: no real license needs them. */
const maxLicenseLength = 2048;
export const maxLicenseTerms = 50;

export const isCombination = (tree: LicenseExpression): tree is LicenseCombination =>
  'operator' in tree;

/** The expressions combined; operands that have the same operator are merged, since grouping means nothing there. */
export const combine = (
  operator: LicenseCombination['operator'],
  expressions: readonly LicenseExpression[],
): LicenseExpression => {
  const operands = expressions.flatMap((tree) =>
    isCombination(tree) && tree.operator === operator ? tree.operands : [tree],
  );
  const [only, ...others] = operands;
  return only !== undefined && others.length === 0 ? only : { operator, operands };
};

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

const readText = (parse: (text: string) => Info, text: string): LicenseExpression | undefined => {
  try {
    return toTree(parse(text));
  } catch {
    return undefined;
  }
};

/** The single licenses of an expression, in their order. */
export const listTerms = (tree: LicenseExpression): readonly LicenseTerm[] =>
  isCombination(tree) ? tree.operands.flatMap(listTerms) : [tree];

/** `(Acme EULA)` is `Acme EULA`: parentheses around a whole name say nothing. */
const dropParentheses = (text: string): string => {
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1]?.trim();
  return inner ? inner : text;
};

/**
 * A license as people write it: an SPDX expression, its identifiers in any case and the deprecated ones replaced; an
 * organisation's own names may stand among them, and a text without identifiers is one such name. Undefined if it is
 * blank, too long, malformed (`MIT OR`) or has more than 50 terms.
 */
export const parseLicense = (text: string): LicenseExpression | undefined => {
  const trimmed = dropParentheses(text.trim().replace(/\s+/g, ' '));
  if (trimmed === '' || trimmed.length > maxLicenseLength) return undefined;
  const tree = readText(parseSpdx, spellLicense(trimmed)) ?? readText(parseMixed, trimmed);
  return tree && listTerms(tree).length <= maxLicenseTerms ? tree : undefined;
};

/** The one license that a text names; undefined for a combination, too. */
export const parseTerm = (text: string): LicenseTerm | undefined => {
  const tree = parseLicense(text);
  return tree && !isCombination(tree) ? tree : undefined;
};

const formatOperand = (
  operator: LicenseCombination['operator'],
  tree: LicenseExpression,
): string =>
  operator === 'AND' && isCombination(tree) ? `(${formatLicense(tree)})` : formatLicense(tree);

/** The canonical text of an expression, with no more parentheses than it needs. */
export const formatLicense = (tree: LicenseExpression): string => {
  if (isCombination(tree)) {
    const { operator, operands } = tree;
    return operands.map((operand) => formatOperand(operator, operand)).join(` ${operator} `);
  }
  return tree.exception === undefined ? tree.license : `${tree.license} WITH ${tree.exception}`;
};
