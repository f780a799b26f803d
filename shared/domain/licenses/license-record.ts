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
import type { LicenseStatus } from './license-status.ts';
import { dropException, toLicenseKey } from './license-terms.ts';
import { readExpression } from './normalize/normalize-expression.ts';

/**
 * Facts about a license and its status in the organisation. `compatible_with` lists the licenses B such that a work
 * released under B may contain code under this license. `incompatible_with` lists the licenses B where it may not.
 */
export interface LicenseRecord extends LicenseFacts {
  /** Normalized SPDX expression; null for a license that only the organisation defines. */
  normalized: string | null;
  status: LicenseStatus;
  compatible_with: readonly string[];
  incompatible_with: readonly string[];
  note: string | null;
  reviewed_by: string | null;
  reviewed_token_label: string | null;
  reviewed_at: string | null;
}

/**
 * Returns the compatibility lists of a license. Explicit lists of the organisation take precedence over derived ones.
 */
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

/** Returns the record of one license, or undefined if neither the organisation nor SPDX knows it. */
export const makeRecord = (term: LicenseTerm, held: HeldLicenses): LicenseRecord | undefined => {
  const license = held.byKey.get(toLicenseKey(term));
  const facts = license ? findFacts(license) : findKnownFacts(term);
  if (!facts) return undefined;
  const { name, title, category, requires_attribution, allows_commercial, url } = facts;
  const bareCategory = findKnownFacts(dropException(term))?.category ?? category;
  return {
    name,
    normalized: license?.own ? null : name,
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
    normalized: name,
    url: null,
    title: null,
    note: null,
    reviewed_by: null,
    reviewed_token_label: null,
    reviewed_at: null,
  };
};

/**
 * Returns the record of a license or of an expression. A text that is no identifier is normalized first, unless the
 * organisation stores a license with that exact name. Returns undefined if every license in it is unknown.
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
