import { groupBy } from '../../util/group-by.ts';
import { type KnownLicense, spdxLicenses } from './catalogue.ts';
import type { LicenseCategory } from './category.ts';
import type { LicenseTerm } from './expression.ts';
import { parseGnuLicense } from './gnu.ts';
import { unconditional } from './gpl-compatibility.ts';
import { oneWayRules, weakCopyleftRules } from './rules/copyleft-rules.ts';
import { exceptionMayAllow, exceptionRules } from './rules/exception-rules.ts';
import { firstRules, lastRules } from './rules/first-rules.ts';
import { gnuRules } from './rules/gnu-rules.ts';
import { gplListRules, permissiveRules } from './rules/permissive-rules.ts';
import type { Pair, Rule, RuledLicense, Ruling } from './rules/rule.ts';

/** A license as the rules see it, by what it names and the category that it has without its exception. */
export const toRuledLicense = (
  { license, exception }: LicenseTerm,
  category: LicenseCategory,
): RuledLicense =>
  exception === undefined ? { name: license, category } : { name: license, category, exception };

/** What holds for licenses without their exceptions. */
const bareRules: readonly Rule[] = [
  ...gnuRules,
  ...gplListRules,
  ...oneWayRules,
  ...weakCopyleftRules,
  ...permissiveRules,
  ...lastRules,
];

/** Every rule, in the order in which they are tried. */
export const compatibilityRules: readonly Rule[] = [
  ...firstRules,
  ...exceptionRules,
  exceptionMayAllow(bareRules),
  ...bareRules,
];

/** A version "or later" can always be taken at its own version, which is what is ruled on. */
const findOwnVersion = (license: RuledLicense): RuledLicense =>
  license.name.endsWith('+') ? { ...license, name: license.name.slice(0, -1) } : license;

const makePair = (code: RuledLicense, b: RuledLicense): Pair => {
  const a = code.name === b.name ? code : findOwnVersion(code);
  return { a, b, gnuA: parseGnuLicense(a.name), gnuB: parseGnuLicense(b.name) };
};

const findDecidingRule = (pair: Pair): Rule => {
  const ruleOnPair = compatibilityRules.find(({ applies }) => applies(pair));
  if (ruleOnPair === undefined) throw new Error('The last rule applies to every pair of licenses.');
  return ruleOnPair;
};

const formatRuled = ({ name, exception }: RuledLicense): string =>
  exception === undefined ? name : `${name} WITH ${exception}`;

const givesUpConditions = ({ name, category }: RuledLicense): boolean =>
  category === 'public-domain' || unconditional.has(name);

/** What a whole that sets no conditions cannot say of its parts. */
const partsKeepTheirs = ({ a, b }: Pair, verdict: Ruling['verdict']): string =>
  verdict === 'compatible' && givesUpConditions(b) && !givesUpConditions(a)
    ? ' The whole is then not free of conditions: the notices of the part stay.'
    : '';

/** Whether a work that as a whole is released under `b` may contain code under `a`. The first rule that applies decides. */
export const rule = (a: RuledLicense, b: RuledLicense): Ruling => {
  const pair = makePair(a, b);
  const { id, verdict, source, explain } = findDecidingRule(pair);
  return {
    verdict,
    rule: id,
    explanation: explain(formatRuled(a), formatRuled(b)) + partsKeepTheirs(pair, verdict),
    source: typeof source === 'function' ? source(findOwnVersion(a), b) : source,
  };
};

/** The SPDX licenses that works with code under a license may and may not have; what is not known is in neither list. */
export interface CompatibilityLists {
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

const listNames = (licenses: readonly KnownLicense[]): string[] => licenses.map(({ name }) => name);

/** Both lists in the catalogue's order. */
export const listCompatibility = (a: RuledLicense): CompatibilityLists => {
  const byVerdict = groupBy(spdxLicenses, (b) => findDecidingRule(makePair(a, b)).verdict);
  return {
    compatible_with: listNames(byVerdict.get('compatible') ?? []),
    incompatible_with: listNames(byVerdict.get('incompatible') ?? []),
  };
};
