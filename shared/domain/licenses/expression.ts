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

/** The single licenses of an expression, in their order. */
export const listTerms = (tree: LicenseExpression): readonly LicenseTerm[] =>
  isCombination(tree) ? tree.operands.flatMap(listTerms) : [tree];

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
