import {
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from './expression.ts';
import type { Ruling } from './rules/compatibility-rule.ts';
import { verdicts } from './rules/compatibility-rule.ts';

/** Rules whether a work under license `b` may contain code under license `a`. */
export type RuleTerms = (a: LicenseTerm, b: LicenseTerm) => Ruling;

const rankVerdict = ({ verdict }: Ruling): number => verdicts.indexOf(verdict);

const chooseBest = (first: Ruling, second: Ruling): Ruling =>
  rankVerdict(first) <= rankVerdict(second) ? first : second;

const chooseWorst = (first: Ruling, second: Ruling): Ruling =>
  rankVerdict(first) >= rankVerdict(second) ? first : second;

const partsDiffer: Ruling = {
  verdict: 'unknown',
  rule: 'parts-differ',
  explanation:
    'The parts of the whole are under licenses that do not agree: name the license of the part that contains the code.',
  source: null,
};

const sameExpression: Ruling = {
  verdict: 'compatible',
  rule: 'same-expression',
  explanation: 'The code and the whole have the same terms: keep the notices and meet all of them.',
  source: null,
};

const findAgreed = (first: Ruling, second: Ruling): Ruling =>
  first.verdict === second.verdict ? first : partsDiffer;

const ruleCode = (a: LicenseExpression, b: LicenseTerm, ruleTerms: RuleTerms): Ruling => {
  if (!isCombination(a)) return ruleTerms(a, b);
  const rulings = a.operands.map((operand) => ruleCode(operand, b, ruleTerms));
  return rulings.reduce(a.operator === 'OR' ? chooseBest : chooseWorst);
};

const ruleWhole = (a: LicenseExpression, b: LicenseExpression, ruleTerms: RuleTerms): Ruling => {
  if (!isCombination(b)) return ruleCode(a, b, ruleTerms);
  const rulings = b.operands.map((operand) => ruleWhole(a, operand, ruleTerms));
  return rulings.reduce(b.operator === 'OR' ? chooseWorst : findAgreed);
};

/** True if both expressions are the same and each license is compatible with itself. */
const isSame = (a: LicenseExpression, b: LicenseExpression, ruleTerms: RuleTerms): boolean =>
  isCombination(a) &&
  formatLicense(a) === formatLicense(b) &&
  listTerms(a).every((term) => ruleCode(term, term, ruleTerms).verdict === 'compatible');

/**
 * Returns the compatibility ruling on code under expression `a` in a work under expression `b`. In `a`, OR lets the
 * user of the code choose the best license, and AND requires all of them. In `b`, OR lets recipients choose, so every
 * choice must be compatible; `a` may choose differently for each. In `b`, AND does not say which part has which
 * license, so the ruling is known only if all rulings agree.
 */
export const ruleExpressions = (
  a: LicenseExpression,
  b: LicenseExpression,
  ruleTerms: RuleTerms,
): Ruling => (isSame(a, b, ruleTerms) ? sameExpression : ruleWhole(a, b, ruleTerms));
