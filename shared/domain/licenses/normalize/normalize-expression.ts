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

/** How one license of an expression reads; undefined if it is a known one as it is, or cannot be read. */
export const readTerm = (term: LicenseTerm): LicenseExpression | undefined =>
  findKnownLicense(term.license) && !hasUnknownAddition(term)
    ? undefined
    : readName(formatLicense(term));

/**
 * The expression with every license that can be read as what it reads as. `isDecided` tells the licenses that the
 * organisation knows by just that name: its word goes before any reading.
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

/** The text of what was read; null for a name that is known to nobody, or to the organisation alone. */
export const showReading = (read: LicenseExpression): string | null =>
  isCombination(read) || findKnownLicense(read.license) ? formatLicense(read) : null;

/** The SPDX expression that a license reads as, whoever wrote it how; null if it is none and cannot be read. */
export const readLicense = (text: string): string | null => {
  const tree = parseLicense(text);
  return tree ? showReading(readExpression(tree)) : null;
};
