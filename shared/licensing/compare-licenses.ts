import { refuseUnknownLicense } from '../domain/errors.ts';
import { findKnownLicense } from '../domain/licenses/catalogue.ts';
import { rule, toRuledLicense } from '../domain/licenses/compatibility.ts';
import {
  formatLicense,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from '../domain/licenses/expression.ts';
import { ruleExpressions } from '../domain/licenses/expression-compatibility.ts';
import type { HeldLicense } from '../domain/licenses/held-license.ts';
import { findKnownFacts } from '../domain/licenses/license-facts.ts';
import { toLicenseKey } from '../domain/licenses/license-terms.ts';
import { parseLicense } from '../domain/licenses/parse-license.ts';
import type { RuledLicense, Ruling } from '../domain/licenses/rules/rule.ts';
import type { LicenseCompatibility } from '../schemas/license.ts';
import { findLicenses } from '../store/licenses/license-items.ts';

const parseOrRefuse = (name: string): LicenseExpression => {
  const expression = parseLicense(name);
  if (expression) return expression;
  throw refuseUnknownLicense(name);
};

type OwnLicenses = ReadonlyMap<string, HeldLicense>;

/** The organisation's own licenses among these: what SPDX knows of the others needs no reading. */
const findOwn = async (terms: readonly LicenseTerm[]): Promise<OwnLicenses> => {
  const keys = terms.filter((term) => !findKnownFacts(term)).map(toLicenseKey);
  if (keys.length === 0) return new Map();
  const { byKey } = await findLicenses(keys, { withPolicy: false });
  return byKey;
};

/** What the organisation's record of its own license says of the other one; undefined if it says nothing. */
const ruleByOwnRecord = (item: HeldLicense | undefined, other: LicenseTerm): Ruling | undefined => {
  const name = formatLicense(other);
  const ruling = (verdict: Ruling['verdict'], may: string): Ruling => ({
    verdict,
    rule: 'own-record',
    explanation: `The organisation's own record of ${item?.name} says that a work under ${name} ${may} contain code under it.`,
    source: null,
  });
  if (item?.own?.compatible_with.includes(name)) return ruling('compatible', 'may');
  if (item?.own?.incompatible_with.includes(name)) return ruling('incompatible', 'may not');
  return undefined;
};

/** Whether a work released under `other` may contain code under `name`: licenses or expressions. */
export const compareLicenses = async (
  name: string,
  other: string,
): Promise<LicenseCompatibility> => {
  const [contained, whole] = [parseOrRefuse(name), parseOrRefuse(other)];
  const terms = [...listTerms(contained), ...listTerms(whole)];
  const own = await findOwn(terms);
  const ruled = (term: LicenseTerm): RuledLicense => {
    const category =
      own.get(toLicenseKey(term))?.category ?? findKnownLicense(term.license)?.category;
    if (category) return toRuledLicense(term, category);
    throw refuseUnknownLicense(formatLicense(term));
  };
  terms.forEach(ruled);
  const ruling = ruleExpressions(
    contained,
    whole,
    (a, b) => ruleByOwnRecord(own.get(toLicenseKey(a)), b) ?? rule(ruled(a), ruled(b)),
  );
  return { license: formatLicense(contained), other: formatLicense(whole), ...ruling };
};
