import type { LicenseCompatibility } from '../../api/schemas/license.ts';
import { type RegistryError, refuseUnknownLicense } from '../../domain/errors.ts';
import { findKnownLicense } from '../../domain/licenses/catalogue.ts';
import { rule, toRuledLicense } from '../../domain/licenses/compatibility.ts';
import {
  formatLicense,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
  noAssertion,
} from '../../domain/licenses/expression.ts';
import { ruleExpressions } from '../../domain/licenses/expression-compatibility.ts';
import type { HeldLicense } from '../../domain/licenses/held-license.ts';
import { findKnownFacts } from '../../domain/licenses/license-facts.ts';
import { toLicenseKey } from '../../domain/licenses/license-terms.ts';
import {
  readExpression,
  showNormalization,
} from '../../domain/licenses/normalize/normalize-expression.ts';
import { parseLicense } from '../../domain/licenses/parse-license.ts';
import type { RuledLicense, Ruling } from '../../domain/licenses/rules/compatibility-rule.ts';
import { suggestLicenses } from '../../domain/licenses/suggest-licenses.ts';
import { findLicenses } from '../../storage/licenses/license-items.ts';

const refuse = (name: string): RegistryError => refuseUnknownLicense(name, suggestLicenses(name));

const parseOrRefuse = (name: string): LicenseExpression => {
  const expression = parseLicense(name);
  if (expression) return expression;
  throw refuse(name);
};

type OwnLicenses = ReadonlyMap<string, HeldLicense>;

/** Returns the organisation's own licenses among the terms. SPDX licenses need no read. */
const findOwn = async (terms: readonly LicenseTerm[]): Promise<OwnLicenses> => {
  const keys = terms.filter((term) => !findKnownFacts(term)).map(toLicenseKey);
  if (keys.length === 0) return new Map();
  const { byKey } = await findLicenses(keys, { withPolicy: false });
  return byKey;
};

/** Returns the ruling in the organisation's own record of a license on another one; undefined if the record has none. */
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

/**
 * Returns the normalized expression.
 * @throws {RegistryError} if a part of the text is unreadable, because its compatibility is then unknown
 */
const readAll = (
  tree: LicenseExpression,
  isOwn: (term: LicenseTerm) => boolean,
): LicenseExpression => {
  const read = readExpression(tree, isOwn);
  if (listTerms(read).every(({ license }) => license !== noAssertion)) return read;
  throw refuse(formatLicense(tree));
};

/** Returns whether a work released under `other` may contain code under `name`. Both are licenses or expressions. */
export const compareLicenses = async (
  name: string,
  other: string,
): Promise<LicenseCompatibility> => {
  const [contained, whole] = [parseOrRefuse(name), parseOrRefuse(other)];
  const own = await findOwn([...listTerms(contained), ...listTerms(whole)]);
  const isOwn = (term: LicenseTerm): boolean => own.has(toLicenseKey(term));
  const readContained = readAll(contained, isOwn);
  const readWhole = readAll(whole, isOwn);
  const ruled = (term: LicenseTerm): RuledLicense => {
    const category =
      own.get(toLicenseKey(term))?.category ?? findKnownLicense(term.license)?.category;
    if (category) return toRuledLicense(term, category);
    throw refuse(formatLicense(term));
  };
  [...listTerms(readContained), ...listTerms(readWhole)].forEach(ruled);
  const ruling = ruleExpressions(
    readContained,
    readWhole,
    (a, b) => ruleByOwnRecord(own.get(toLicenseKey(a)), b) ?? rule(ruled(a), ruled(b)),
  );
  return {
    license: formatLicense(contained),
    license_normalized: showNormalization(readContained),
    other: formatLicense(whole),
    other_normalized: showNormalization(readWhole),
    ...ruling,
  };
};
