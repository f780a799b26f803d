/** One license: an SPDX identifier or an organisation's own name, with an optional exception. */
export interface LicenseTerm {
  readonly license: string;
  readonly exception?: string;
}

/** Several licenses. With OR the recipient chooses one; with AND all of them apply. */
export interface LicenseCombination<Term extends LicenseTerm = LicenseTerm> {
  readonly operator: 'AND' | 'OR';
  readonly operands: readonly LicenseExpression<Term>[];
}

export type LicenseExpression<Term extends LicenseTerm = LicenseTerm> =
  | Term
  | LicenseCombination<Term>;

export const isCombination = <Term extends LicenseTerm>(
  tree: LicenseExpression<Term>,
): tree is LicenseCombination<Term> => 'operator' in tree;

/** SPDX's keyword for missing information. In a normalized expression it replaces words that were not recognised. */
export const noAssertion = 'NOASSERTION';

/**
 * Combines expressions with an operator. Operands with the same operator are flattened, since grouping has no meaning
 * there.
 */
export const combine = <Term extends LicenseTerm>(
  operator: LicenseCombination['operator'],
  expressions: readonly LicenseExpression<Term>[],
): LicenseExpression<Term> => {
  const operands = expressions.flatMap((tree) =>
    isCombination(tree) && tree.operator === operator ? tree.operands : [tree],
  );
  const [only, ...others] = operands;
  return only !== undefined && others.length === 0 ? only : { operator, operands };
};

/** Returns the licenses of an expression, in their order. */
export const listTerms = <Term extends LicenseTerm>(
  tree: LicenseExpression<Term>,
): readonly Term[] =>
  isCombination(tree) ? tree.operands.flatMap((operand) => listTerms(operand)) : [tree];

const formatOperand = (
  operator: LicenseCombination['operator'],
  tree: LicenseExpression,
): string =>
  operator === 'AND' && isCombination(tree) ? `(${formatLicense(tree)})` : formatLicense(tree);

/** Returns the canonical text of an expression, with as few parentheses as possible. */
export const formatLicense = (tree: LicenseExpression): string => {
  if (isCombination(tree)) {
    const { operator, operands } = tree;
    return operands.map((operand) => formatOperand(operator, operand)).join(` ${operator} `);
  }
  return tree.exception === undefined ? tree.license : `${tree.license} WITH ${tree.exception}`;
};
