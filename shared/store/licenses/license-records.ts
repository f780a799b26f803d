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
import type { LicenseRecord } from '../../schemas/license.ts';
import { factsOf, spdxFacts } from './license-facts.ts';
import { findLicenses, type LicenseItem, type StoredLicenses } from './license-items.ts';
import { defaultStatus } from './license-status.ts';
import { bareTerm, termKey } from './license-terms.ts';

/** Reads what is stored of every license that an expression names: one call, however many they are. */
export const readLicenses = (expression: LicenseExpression): Promise<StoredLicenses> => {
  const terms = termsOf(expression);
  return findLicenses(
    terms.flatMap((term) => [termKey(term), termKey(bareTerm(term))]),
    { withPolicy: terms.some(({ exception }) => exception !== undefined) },
  );
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
    status: item?.status ?? defaultStatus(term, facts.category, stored),
    category,
    ...listsOf(term, item?.own, spdxFacts(bareTerm(term))?.category ?? category),
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
