import { licenseNotFound } from '../../domain/errors.ts';
import { findSpdxLicense } from '../../domain/licenses/catalogue.ts';
import {
  type RuledLicense,
  type Ruling,
  rule,
  ruledLicense,
} from '../../domain/licenses/compatibility.ts';
import {
  formatLicense,
  type LicenseExpression,
  type LicenseTerm,
  parseLicense,
  termsOf,
} from '../../domain/licenses/expression.ts';
import { ruleExpressions } from '../../domain/licenses/expression-compatibility.ts';
import type { LicenseCompatibility } from '../../schemas/license.ts';
import { spdxFacts } from './license-facts.ts';
import { findLicenses, type LicenseItem } from './license-items.ts';
import { termKey } from './license-terms.ts';

const expressionOf = (name: string): LicenseExpression => {
  const expression = parseLicense(name);
  if (expression) return expression;
  throw licenseNotFound(name);
};

type OwnItems = ReadonlyMap<string, LicenseItem>;

/** The organisation's own licenses among these: what SPDX knows of the others needs no reading. */
const findOwn = async (terms: readonly LicenseTerm[]): Promise<OwnItems> => {
  const keys = terms.filter((term) => !spdxFacts(term)).map(termKey);
  if (keys.length === 0) return new Map();
  const { byKey } = await findLicenses(keys, { withPolicy: false });
  return byKey;
};

/** What the organisation's record of its own license says of the other one; undefined if it says nothing. */
const ownRuling = (item: LicenseItem | undefined, other: LicenseTerm): Ruling | undefined => {
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
  const [contained, whole] = [expressionOf(name), expressionOf(other)];
  const terms = [...termsOf(contained), ...termsOf(whole)];
  const own = await findOwn(terms);
  const ruled = (term: LicenseTerm): RuledLicense => {
    const category = own.get(termKey(term))?.category ?? findSpdxLicense(term.license)?.category;
    if (category) return ruledLicense(term, category);
    throw licenseNotFound(formatLicense(term));
  };
  terms.forEach(ruled);
  const ruling = ruleExpressions(
    contained,
    whole,
    (a, b) => ownRuling(own.get(termKey(a)), b) ?? rule(ruled(a), ruled(b)),
  );
  return { license: formatLicense(contained), other: formatLicense(whole), ...ruling };
};
