import type { LicenseCategory } from './category.ts';
import { listCompatibility, toRuledLicense } from './compatibility.ts';
import { findDefaultStatus } from './default-status.ts';
import { evaluateExpression } from './evaluate.ts';
import {
  formatLicense,
  isCombination,
  type LicenseExpression,
  type LicenseTerm,
  listTerms,
} from './expression.ts';
import type { HeldLicense, HeldLicenses } from './held-license.ts';
import { findFacts, findKnownFacts, type LicenseFacts } from './license-facts.ts';
import { dropException, toLicenseKey } from './license-terms.ts';
import { readExpression } from './normalize/normalize-expression.ts';
import type { LicenseStatus } from './status.ts';

/**
 * What the organisation knows and thinks of a license. `compatible_with` lists the licenses B such that a work
 * released under B may contain code under this one; `incompatible_with` those where it may not.
 */
export interface LicenseRecord extends LicenseFacts {
  /** The SPDX expression that the name reads as; null for a license that the organisation alone knows. */
  reading: string | null;
  status: LicenseStatus;
  compatible_with: readonly string[];
  incompatible_with: readonly string[];
  note: string | null;
  reviewed_by: string | null;
  reviewed_token_label: string | null;
  reviewed_at: string | null;
}

/** What the organisation says of its own license goes before what follows from the category. */
const listCompatible = (
  term: LicenseTerm,
  own: HeldLicense['own'],
  category: LicenseCategory,
): Pick<LicenseRecord, 'compatible_with' | 'incompatible_with'> => {
  const derived = listCompatibility(toRuledLicense(term, category));
  if (!own) return derived;
  const settled = new Set([...own.compatible_with, ...own.incompatible_with]);
  const keepUnsettled = (names: readonly string[]) => names.filter((name) => !settled.has(name));
  return {
    compatible_with: [...own.compatible_with, ...keepUnsettled(derived.compatible_with)],
    incompatible_with: [...own.incompatible_with, ...keepUnsettled(derived.incompatible_with)],
  };
};

/** Makes the record of one license as it is written; undefined where neither the organisation nor SPDX knows it. */
export const makeRecord = (term: LicenseTerm, held: HeldLicenses): LicenseRecord | undefined => {
  const license = held.byKey.get(toLicenseKey(term));
  const facts = license ? findFacts(license) : findKnownFacts(term);
  if (!facts) return undefined;
  const { name, title, category, requires_attribution, allows_commercial, url } = facts;
  const bareCategory = findKnownFacts(dropException(term))?.category ?? category;
  return {
    name,
    reading: license?.own ? null : name,
    status: license?.status ?? findDefaultStatus(term, category, held),
    category,
    ...listCompatible(term, license?.own, bareCategory),
    requires_attribution,
    allows_commercial,
    url,
    title,
    note: license?.note ?? null,
    reviewed_by: license?.reviewed_by ?? null,
    reviewed_token_label: license?.reviewed_token_label ?? null,
    reviewed_at: license?.reviewed_at ?? null,
  };
};

const combineRecords = (
  expression: LicenseExpression,
  held: HeldLicenses,
): LicenseRecord | undefined => {
  const records = new Map(
    listTerms(expression).map((term) => [toLicenseKey(term), makeRecord(term, held)]),
  );
  if ([...records.values()].every((record) => record === undefined)) return undefined;
  const name = formatLicense(expression);
  return {
    ...evaluateExpression(expression, (term) => records.get(toLicenseKey(term))),
    name,
    reading: name,
    url: null,
    title: null,
    note: null,
    reviewed_by: null,
    reviewed_token_label: null,
    reviewed_at: null,
  };
};

/**
 * Makes the record of a license or, in the same shape, of an expression. What is no identifier is taken for what it
 * reads as, unless the organisation holds a license of just that name. Undefined where no license of it is known.
 */
export const makeExpressionRecord = (
  expression: LicenseExpression,
  held: HeldLicenses,
): LicenseRecord | undefined => {
  const read = readExpression(expression, (term) => held.byKey.has(toLicenseKey(term)));
  const record = isCombination(read) ? combineRecords(read, held) : makeRecord(read, held);
  if (!record || formatLicense(read) === formatLicense(expression)) return record;
  return { ...record, name: formatLicense(expression) };
};
