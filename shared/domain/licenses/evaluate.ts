import { type LicenseCategory, rankCategory } from './category.ts';
import {
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from './expression.ts';
import { compareStatuses, type LicenseStatus } from './status.ts';

/** What is known and decided about a license or an expression; null is not known. */
export interface LicenseVerdict {
  readonly status: LicenseStatus;
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

const unreviewed: LicenseVerdict = {
  status: 'unreviewed',
  category: 'unknown',
  requires_attribution: null,
  allows_commercial: null,
  compatible_with: [],
  incompatible_with: [],
};

const uniteNames = (first: readonly string[], second: readonly string[]): string[] => [
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

/** True if either is, and not known unless both are known not to be. */
const requireEither = (first: boolean | null, second: boolean | null): boolean | null =>
  first === true || second === true ? true : first === null || second === null ? null : false;

const requireBoth = (first: boolean | null, second: boolean | null): boolean | null =>
  first === false || second === false ? false : first === null || second === null ? null : true;

const comparePreference = (first: LicenseVerdict, second: LicenseVerdict): number =>
  compareStatuses(first.status, second.status) ||
  rankCategory(first.category) - rankCategory(second.category);

/** The recipient takes the license that serves best, and may take the other one for what only that allows. */
const chooseBetter = (first: LicenseVerdict, second: LicenseVerdict): LicenseVerdict => {
  const better = comparePreference(first, second) <= 0 ? first : second;
  const compatible = uniteNames(first.compatible_with, second.compatible_with);
  const incompatible = intersectNames(first.incompatible_with, second.incompatible_with);
  return { ...better, compatible_with: compatible, incompatible_with: incompatible };
};

const chooseWorseStatus = (first: LicenseStatus, second: LicenseStatus): LicenseStatus =>
  compareStatuses(first, second) >= 0 ? first : second;

const chooseMoreRestrictive = (first: LicenseCategory, second: LicenseCategory): LicenseCategory =>
  rankCategory(first) >= rankCategory(second) ? first : second;

/** All obligations hold at once, so that one unknown license makes the whole unknown. */
const holdBoth = (first: LicenseVerdict, second: LicenseVerdict): LicenseVerdict => {
  const incompatible = uniteNames(first.incompatible_with, second.incompatible_with);
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

/** Nobody can take what nobody decided on, to get around what was rejected. */
const dropUndecided = (verdicts: readonly LicenseVerdict[]): readonly LicenseVerdict[] =>
  verdicts.some(({ status }) => status === 'rejected')
    ? verdicts.filter(({ status }) => status !== 'unreviewed')
    : verdicts;

/**
 * The verdict on a whole expression from the records of its licenses: OR takes the better record (status first, then
 * the less restrictive category), AND the worse of everything. A license without a record is unreviewed and unknown, and
 * no choice beside one that is known; nor is what is unreviewed beside what is rejected.
 */
export const evaluateExpression = (
  tree: LicenseExpression,
  recordOf: (term: LicenseTerm) => LicenseVerdict | undefined,
): LicenseVerdict => {
  if (!isCombination(tree)) return recordOf(tree) ?? unreviewed;
  const isKnown = (operand: LicenseExpression): boolean =>
    listTerms(operand).some((term) => recordOf(term) !== undefined);
  const known = tree.operator === 'OR' ? tree.operands.filter(isKnown) : [];
  const operands = known.length > 0 ? known : tree.operands;
  const verdicts = operands.map((operand) => evaluateExpression(operand, recordOf));
  return tree.operator === 'OR'
    ? dropUndecided(verdicts).reduce(chooseBetter)
    : verdicts.reduce(holdBoth);
};
