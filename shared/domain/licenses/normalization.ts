import { isObject, parseJson } from '../../util/json.ts';
import {
  combine,
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
} from './expression.ts';

/** One license of a normalized expression, with what SPDX's lists say about it. */
export interface NormalizedTerm extends LicenseTerm {
  /** Present if neither SPDX nor the registry's own list has the license. */
  readonly isUnknown?: true;
  /** Effect of the exception on the license's category; absent if the category stays. */
  readonly effect?: 'linking' | 'unknown';
}

/** One license as written. */
export interface WrittenTerm extends NormalizedTerm {
  /** Normalized expression of the name; absent if the name is a known license, or is not recognised. */
  readonly meaning?: LicenseExpression<NormalizedTerm>;
}

/** License expression as written, with the normalized expression of each name in it. */
export type Normalization = LicenseExpression<WrittenTerm>;

/**
 * Normalization in the form that is stored beside the license text: JSON, since expressions nest deeper than items of
 * DynamoDB may. Absent if the text is exactly one known identifier, as for most licenses. Null if it is no expression.
 */
export type StoredNormalization = string | null | undefined;

/** Returns the stored form of the normalization of a text; undefined stands for a text that is no license expression. */
export const storeNormalization = (
  text: string,
  normalization: Normalization | undefined,
): StoredNormalization => {
  if (normalization === undefined) return null;
  const isIdentifier =
    !isCombination(normalization) &&
    normalization.license === text &&
    Object.keys(normalization).length === 1;
  return isIdentifier ? undefined : JSON.stringify(normalization);
};

const isNormalization = (value: unknown): value is Normalization => {
  if (!isObject(value)) return false;
  const { license, operator, operands, meaning } = value;
  if (typeof license === 'string') return meaning === undefined || isNormalization(meaning);
  const isOperator = operator === 'AND' || operator === 'OR';
  return (
    isOperator && Array.isArray(operands) && operands.length > 0 && operands.every(isNormalization)
  );
};

/** Returns the normalization of a text from its stored form; undefined if the text is no license expression. */
export const parseNormalization = (
  text: string,
  stored: StoredNormalization,
): Normalization | undefined => {
  if (stored === undefined) return { license: text };
  const parsed = stored === null ? undefined : parseJson(stored);
  return isNormalization(parsed) ? parsed : undefined;
};

/** Returns the normalized expression. Names for which `isDecided` is true stay as they are. */
export const applyNormalization = (
  tree: Normalization,
  isDecided: (term: WrittenTerm) => boolean = () => false,
): LicenseExpression<NormalizedTerm> => {
  if (isCombination(tree)) {
    return combine(
      tree.operator,
      tree.operands.map((operand) => applyNormalization(operand, isDecided)),
    );
  }
  const { meaning, ...term } = tree;
  return meaning === undefined || isDecided(tree) ? term : meaning;
};

/** Returns the text of a normalized expression; null if it is one unknown name. */
export const showNormalized = (tree: LicenseExpression<NormalizedTerm>): string | null =>
  !isCombination(tree) && tree.isUnknown ? null : formatLicense(tree);

/** Returns the storage key of a license, in lower case and with its exception. A known license has that of its name without `+`. */
export const toNormalizedKey = ({ license, exception, isUnknown }: NormalizedTerm): string => {
  const name = isUnknown ? license : license.replace(/\+$/, '');
  return formatLicense(
    exception === undefined ? { license: name } : { license: name, exception },
  ).toLowerCase();
};
