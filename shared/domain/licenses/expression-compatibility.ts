import type { LicenseCategory } from './category.ts';
import { type RuledLicense, type Ruling, rule, type Verdict } from './compatibility.ts';
import {
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  termsOf,
} from './expression.ts';

/** The category of a license by its name, without an exception; undefined if there is no such license. */
export type FactsOf = (name: string) => { readonly category: LicenseCategory } | undefined;

const fromBestToWorst: readonly Verdict[] = ['compatible', 'unknown', 'incompatible'];

const rank = ({ verdict }: Ruling): number => fromBestToWorst.indexOf(verdict);

const best = (first: Ruling, second: Ruling): Ruling =>
  rank(first) <= rank(second) ? first : second;

const worst = (first: Ruling, second: Ruling): Ruling =>
  rank(first) >= rank(second) ? first : second;

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

const agreed = (first: Ruling, second: Ruling): Ruling =>
  first.verdict === second.verdict ? first : partsDiffer;

const ruledOf = ({ license, exception }: LicenseTerm, factsOf: FactsOf): RuledLicense => {
  const category = factsOf(license)?.category ?? 'unknown';
  return exception === undefined
    ? { name: license, category }
    : { name: license, category, exception };
};

const ruleCode = (a: LicenseExpression, b: LicenseTerm, factsOf: FactsOf): Ruling => {
  if (!isCombination(a)) return rule(ruledOf(a, factsOf), ruledOf(b, factsOf));
  const rulings = a.operands.map((operand) => ruleCode(operand, b, factsOf));
  return rulings.reduce(a.operator === 'OR' ? best : worst);
};

const ruleWhole = (a: LicenseExpression, b: LicenseExpression, factsOf: FactsOf): Ruling => {
  if (!isCombination(b)) return ruleCode(a, b, factsOf);
  const rulings = b.operands.map((operand) => ruleWhole(a, operand, factsOf));
  return rulings.reduce(b.operator === 'OR' ? worst : agreed);
};

/** Compatible with itself, as a single license is: every one of its licenses must allow that. */
const isSame = (a: LicenseExpression, b: LicenseExpression, factsOf: FactsOf): boolean =>
  isCombination(a) &&
  formatLicense(a) === formatLicense(b) &&
  termsOf(a).every((term) => ruleCode(term, term, factsOf).verdict === 'compatible');

/**
 * The ruling on expressions. Whoever combines picks from A's OR what serves best, and must meet all of A's AND. What B
 * offers with OR its recipients choose, so that each choice must hold, and A's choice may differ for each. B's AND says
 * nothing of which part has which license, so that it is known only where all of them agree.
 */
export const ruleExpressions = (
  a: LicenseExpression,
  b: LicenseExpression,
  factsOf: FactsOf,
): Ruling => (isSame(a, b, factsOf) ? sameExpression : ruleWhole(a, b, factsOf));
