import { type LicenseCategory, rankCategory } from './category.ts';
import {
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from './expression.ts';
import { compareStatuses, type LicenseStatus } from './license-status.ts';

/** Status and facts of a license or an expression. Null means unknown. */
export interface LicenseVerdict {
  readonly status: LicenseStatus;
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

/** Verdict on a license without a decision and with unknown facts. */
export const unreviewed: LicenseVerdict = {
  status: 'unreviewed',
  category: 'unknown',
  requires_attribution: null,
  allows_commercial: null,
  compatible_with: [],
  incompatible_with: [],
};

const joinNames = (first: readonly string[], second: readonly string[]): string[] => [
  ...new Set([...first, ...second]),
];

const intersectNames = (first: readonly string[], second: readonly string[]): string[] => {
  const kept = new Set(second);
  return first.filter((name) => kept.has(name));
};

const removeNames = (names: readonly string[], removed: readonly string[]): string[] => {
  const gone = new Set(removed);
  return names.filter((name) => !gone.has(name));
};

/** Returns true if either value is true, false if both are false, and otherwise null. */
const requireEither = (first: boolean | null, second: boolean | null): boolean | null =>
  first === true || second === true ? true : first === null || second === null ? null : false;

const requireBoth = (first: boolean | null, second: boolean | null): boolean | null =>
  first === false || second === false ? false : first === null || second === null ? null : true;

const comparePreference = (first: LicenseVerdict, second: LicenseVerdict): number =>
  compareStatuses(first.status, second.status) ||
  rankCategory(first.category) - rankCategory(second.category);

/**
 * Returns the verdict on `first OR second`: the better license, with the compatible licenses of both. A license is
 * incompatible only if both list it.
 */
const chooseBetter = (first: LicenseVerdict, second: LicenseVerdict): LicenseVerdict => {
  const better = comparePreference(first, second) <= 0 ? first : second;
  const compatible = joinNames(first.compatible_with, second.compatible_with);
  const incompatible = intersectNames(first.incompatible_with, second.incompatible_with);
  return { ...better, compatible_with: compatible, incompatible_with: incompatible };
};

const chooseWorseStatus = (first: LicenseStatus, second: LicenseStatus): LicenseStatus =>
  compareStatuses(first, second) >= 0 ? first : second;

const chooseMoreRestrictive = (first: LicenseCategory, second: LicenseCategory): LicenseCategory =>
  rankCategory(first) >= rankCategory(second) ? first : second;

/**
 * Returns the verdict on `first AND second`. All obligations apply, so an unknown fact of one license makes the fact of
 * the whole unknown.
 */
const combineBoth = (first: LicenseVerdict, second: LicenseVerdict): LicenseVerdict => {
  const incompatible = joinNames(first.incompatible_with, second.incompatible_with);
  return {
    status: chooseWorseStatus(first.status, second.status),
    category: chooseMoreRestrictive(first.category, second.category),
    requires_attribution: requireEither(first.requires_attribution, second.requires_attribution),
    allows_commercial: requireBoth(first.allows_commercial, second.allows_commercial),
    compatible_with: removeNames(
      intersectNames(first.compatible_with, second.compatible_with),
      incompatible,
    ),
    incompatible_with: incompatible,
  };
};

/**
 * Removes unreviewed choices if another choice is rejected. An unreviewed license must not be a way around a rejection.
 */
const dropUndecided = (verdicts: readonly LicenseVerdict[]): readonly LicenseVerdict[] =>
  verdicts.some(({ status }) => status === 'rejected')
    ? verdicts.filter(({ status }) => status !== 'unreviewed')
    : verdicts;

/**
 * Returns the verdict on an expression from the records of its licenses. OR takes the better record: status first, then
 * the less restrictive category. AND takes the worse of every field. A license without a record is unreviewed and
 * unknown. OR ignores such licenses beside known ones, and unreviewed licenses beside rejected ones.
 */
export const evaluateExpression = <Term extends LicenseTerm>(
  tree: LicenseExpression<Term>,
  recordOf: (term: Term) => LicenseVerdict | undefined,
): LicenseVerdict => {
  if (!isCombination(tree)) return recordOf(tree) ?? unreviewed;
  const isKnown = (operand: LicenseExpression<Term>): boolean =>
    listTerms(operand).some((term) => recordOf(term) !== undefined);
  const known = tree.operator === 'OR' ? tree.operands.filter(isKnown) : [];
  const operands = known.length > 0 ? known : tree.operands;
  const verdicts = operands.map((operand) => evaluateExpression(operand, recordOf));
  return tree.operator === 'OR'
    ? dropUndecided(verdicts).reduce(chooseBetter)
    : verdicts.reduce(combineBoth);
};
