import { findKnownLicense } from '../catalogue.ts';
import { hasUnknownAddition } from '../exceptions.ts';
import {
  combine,
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
} from '../expression.ts';
import { parseLicense } from '../parse-license.ts';
import { readName } from './normalize-name.ts';

/**
 * Returns the normalized form of one license. Returns undefined if it is a known license already, or not recognised.
 */
export const readTerm = (term: LicenseTerm): LicenseExpression | undefined =>
  findKnownLicense(term.license) && !hasUnknownAddition(term)
    ? undefined
    : readName(formatLicense(term));

/**
 * Returns the expression with every recognised license normalized. `isDecided` is true for names that the organisation
 * stores; such names are not normalized.
 */
export const readExpression = (
  tree: LicenseExpression,
  isDecided: (term: LicenseTerm) => boolean = () => false,
): LicenseExpression => {
  if (!isCombination(tree)) return isDecided(tree) ? tree : (readTerm(tree) ?? tree);
  return combine(
    tree.operator,
    tree.operands.map((operand) => readExpression(operand, isDecided)),
  );
};

/** Returns the text of a normalized expression, or null for an unknown name or one that only the organisation knows. */
export const showNormalization = (read: LicenseExpression): string | null =>
  isCombination(read) || findKnownLicense(read.license) ? formatLicense(read) : null;

/** Returns the SPDX expression that a license text means, or null if the text is not recognised. */
export const readLicense = (text: string): string | null => {
  const tree = parseLicense(text);
  return tree ? showNormalization(readExpression(tree)) : null;
};
