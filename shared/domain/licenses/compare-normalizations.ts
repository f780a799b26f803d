import { formatLicense, isCombination, type LicenseExpression } from './expression.ts';
import { implies } from './implies.ts';
import { applyNormalization, type Normalization, type NormalizedTerm } from './normalization.ts';

/** Returns the license without a known exception, and without `-only` and `-or-later`, which many statements leave out. */
const toBase = (tree: LicenseExpression<NormalizedTerm>): LicenseExpression => {
  if (isCombination(tree)) {
    return { operator: tree.operator, operands: tree.operands.map(toBase) };
  }
  const isKnown = !tree.isUnknown && tree.effect !== 'unknown';
  return isKnown
    ? { license: tree.license.replace(/\+$/, '').replace(/-(?:only|or-later)$/, '') }
    : { license: formatLicense(tree).toLowerCase() };
};

/** True if two licenses mean the same by their normalization, as far as statements usually say. */
export const haveSameMeaning = (one: Normalization, other: Normalization): boolean => {
  const [first, second] = [one, other].map((tree) => toBase(applyNormalization(tree)));
  if (!first || !second) return false;
  return implies(first, second) && implies(second, first);
};
