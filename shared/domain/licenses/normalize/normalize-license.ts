import { findKnownLicense } from '../catalogue.ts';
import { findExceptionEffect, hasUnknownAddition } from '../exceptions.ts';
import { isCombination, type LicenseExpression, type LicenseTerm } from '../expression.ts';
import {
  type Normalization,
  type NormalizedTerm,
  type StoredNormalization,
  storeNormalization,
} from '../normalization.ts';
import { parseLicense } from '../parse-license.ts';
import { readTerm } from './normalize-expression.ts';

const findEffect = (term: LicenseTerm): NormalizedTerm['effect'] => {
  if (term.exception === undefined) return undefined;
  if (hasUnknownAddition(term)) return 'unknown';
  return findExceptionEffect(term.exception) === 'linking' ? 'linking' : undefined;
};

const describeTerm = (term: LicenseTerm): NormalizedTerm => {
  const effect = findEffect(term);
  return {
    ...term,
    ...(effect && { effect }),
    ...(!findKnownLicense(term.license) && { isUnknown: true }),
  };
};

const describeTerms = (tree: LicenseExpression): LicenseExpression<NormalizedTerm> =>
  isCombination(tree)
    ? { operator: tree.operator, operands: tree.operands.map(describeTerms) }
    : describeTerm(tree);

const normalize = (tree: LicenseExpression): Normalization => {
  if (isCombination(tree))
    return { operator: tree.operator, operands: tree.operands.map(normalize) };
  const meaning = readTerm(tree);
  return { ...describeTerm(tree), ...(meaning && { meaning: describeTerms(meaning) }) };
};

/** Returns the normalization of a license text by SPDX's lists and the registry's names, to store beside the text. */
export const normalizeLicense = (text: string): StoredNormalization => {
  const written = parseLicense(text);
  return storeNormalization(text, written && normalize(written));
};
