import { isCombination, type LicenseExpression } from './expression.ts';

const listOperands = (
  tree: LicenseExpression,
  operator: 'AND' | 'OR',
): readonly LicenseExpression[] =>
  isCombination(tree) && tree.operator === operator ? tree.operands : [];

/** True if compliance with the first expression implies compliance with the second. */
export const implies = (first: LicenseExpression, second: LicenseExpression): boolean => {
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
