import { groupBy } from '../../util/group-by.ts';
import { type KnownLicense, spdxLicenses } from './catalogue.ts';
import type { LicenseCategory } from './category.ts';
import type { LicenseTerm } from './expression.ts';
import { parseGnuLicense } from './gnu.ts';
import { unconditional } from './gpl-compatibility.ts';
import type { Pair, Rule, RuledLicense, Ruling } from './rules/compatibility-rule.ts';
import { oneWayRules, weakCopyleftRules } from './rules/copyleft-rules.ts';
import { exceptionMayAllow, exceptionRules } from './rules/exception-rules.ts';
import { firstRules, lastRules } from './rules/first-rules.ts';
import { gnuRules } from './rules/gnu-rules.ts';
import { gplListRules, permissiveRules } from './rules/permissive-rules.ts';

/** Returns a license in the form that the rules use. `category` is the category without the exception. */
export const toRuledLicense = (
  { license, exception }: LicenseTerm,
  category: LicenseCategory,
): RuledLicense =>
  exception === undefined ? { name: license, category } : { name: license, category, exception };

/** Rules on licenses without their exceptions. */
const bareRules: readonly Rule[] = [
  ...gnuRules,
  ...gplListRules,
  ...oneWayRules,
  ...weakCopyleftRules,
  ...permissiveRules,
  ...lastRules,
];

/** All compatibility rules, in order of precedence. */
export const compatibilityRules: readonly Rule[] = [
  ...firstRules,
  ...exceptionRules,
  exceptionMayAllow(bareRules),
  ...bareRules,
];

/** Returns the license without a trailing `+`. A recipient can always choose that version, so rules apply to it. */
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

/** Returns the explanation that notices of the part remain, if the whole sets no conditions but the part does. */
const partsKeepTheirs = ({ a, b }: Pair, verdict: Ruling['verdict']): string =>
  verdict === 'compatible' && givesUpConditions(b) && !givesUpConditions(a)
    ? ' The whole is then not free of conditions: the notices of the part stay.'
    : '';

/** Rules whether a work released under `b` may contain code under `a`. The first rule that applies decides. */
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

/**
 * SPDX licenses that works with code under a license may have (`compatible_with`) and may not have. Licenses with an
 * unknown ruling are in neither list.
 */
export interface CompatibilityLists {
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

const listNames = (licenses: readonly KnownLicense[]): string[] => licenses.map(({ name }) => name);

/** Returns the compatible and incompatible SPDX licenses of a license, in the catalogue's order. */
export const listCompatibility = (a: RuledLicense): CompatibilityLists => {
  const byVerdict = groupBy(spdxLicenses, (b) => findDecidingRule(makePair(a, b)).verdict);
  return {
    compatible_with: listNames(byVerdict.get('compatible') ?? []),
    incompatible_with: listNames(byVerdict.get('incompatible') ?? []),
  };
};
