import type { LicenseCategory } from '../../domain/licenses/category.ts';
import { compatibilityLists, ruledLicense } from '../../domain/licenses/compatibility.ts';
import { evaluate } from '../../domain/licenses/evaluate.ts';
import {
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  termsOf,
} from '../../domain/licenses/expression.ts';
import type { LicenseStatus } from '../../domain/licenses/status.ts';
import type { LicenseRecord } from '../../schemas/license.ts';
import { factsOf, spdxFacts } from './license-facts.ts';
import { findLicenses, type LicenseItem, type StoredLicenses } from './license-items.ts';

/** The key of one license, with its exception where it has one. */
export const termKey = (term: LicenseTerm): string => formatLicense(term).toLowerCase();

const withoutException = ({ license }: LicenseTerm): string => termKey({ license });

/** Reads what is stored of every license that an expression names: one call, however many they are. */
export const readLicenses = (expression: LicenseExpression): Promise<StoredLicenses> => {
  const terms = termsOf(expression);
  return findLicenses(
    terms.flatMap((term) => [termKey(term), withoutException(term)]),
    { withPolicy: terms.some(({ exception }) => exception !== undefined) },
  );
};

/**
 * What holds for a license that nobody decided on as such. An exception only adds permission, so that a decision on the
 * license holds with it too; else the policy, for what the exception makes of it.
 */
export const inheritedStatus = (
  term: LicenseTerm,
  { byKey, policy }: StoredLicenses,
): LicenseStatus => {
  const license = byKey.get(withoutException(term));
  if (license?.reviewed_at) return license.status;
  const category = spdxFacts(term)?.category;
  return (category && policy?.categories[category]) ?? license?.status ?? 'unreviewed';
};

/** What the organisation says of its own license goes before what follows from the category. */
const listsOf = (term: LicenseTerm, own: LicenseItem['own'], category: LicenseCategory) => {
  const derived = compatibilityLists(ruledLicense(term, category));
  if (!own) return derived;
  const said = new Set([...own.compatible_with, ...own.incompatible_with]);
  const unsaid = (names: readonly string[]): string[] => names.filter((name) => !said.has(name));
  return {
    compatible_with: [...own.compatible_with, ...unsaid(derived.compatible_with)],
    incompatible_with: [...own.incompatible_with, ...unsaid(derived.incompatible_with)],
  };
};

/** The record of one license; undefined where neither the organisation nor SPDX knows it. */
export const recordOf = (term: LicenseTerm, stored: StoredLicenses): LicenseRecord | undefined => {
  const item = stored.byKey.get(termKey(term));
  const facts = item ? factsOf(item) : spdxFacts(term);
  if (!facts) return undefined;
  const { name, title, category, requires_attribution, allows_commercial, url } = facts;
  return {
    name,
    status: item?.status ?? inheritedStatus(term, stored),
    category,
    ...listsOf(term, item?.own, spdxFacts({ license: term.license })?.category ?? category),
    requires_attribution,
    allows_commercial,
    url,
    title,
    note: item?.note ?? null,
    reviewed_by: item?.reviewed_by ?? null,
    reviewed_at: item?.reviewed_at ?? null,
  };
};

/** The record of a license or, in the same shape, the verdict on an expression. Undefined where no license of it is known. */
export const findRecord = async (
  expression: LicenseExpression,
): Promise<LicenseRecord | undefined> => {
  const stored = await readLicenses(expression);
  if (!isCombination(expression)) return recordOf(expression, stored);
  const records = new Map(
    termsOf(expression).map((term) => [termKey(term), recordOf(term, stored)]),
  );
  if ([...records.values()].every((record) => record === undefined)) return undefined;
  return {
    name: formatLicense(expression),
    ...evaluate(expression, (term) => records.get(termKey(term))),
    url: null,
    title: null,
    note: null,
    reviewed_by: null,
    reviewed_at: null,
  };
};
