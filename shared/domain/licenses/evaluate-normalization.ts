import type { LicenseCategory } from './category.ts';
import { findStatusByPolicy } from './default-status.ts';
import { evaluateExpression, type LicenseVerdict, unreviewed } from './evaluate.ts';
import { formatLicense, isCombination, listTerms } from './expression.ts';
import type { HeldLicenses } from './held-license.ts';
import type { LicenseStatus } from './license-status.ts';
import {
  applyNormalization,
  type Normalization,
  type NormalizedTerm,
  toNormalizedKey,
} from './normalization.ts';

const dropException = ({ exception: _, effect: __, ...bare }: NormalizedTerm): NormalizedTerm =>
  bare;

/** Returns the storage keys of all licenses that the status of a normalized license may depend on. */
export const listNormalizedKeys = (tree: Normalization): string[] =>
  [...listTerms(tree), ...listTerms(applyNormalization(tree))].flatMap((term) => [
    toNormalizedKey(term),
    toNormalizedKey(dropException(term)),
  ]);

/** True if a license of the expression has an exception, so that its status may depend on the policy. */
export const hasException = (tree: Normalization): boolean =>
  [...listTerms(tree), ...listTerms(applyNormalization(tree))].some(
    ({ exception }) => exception !== undefined,
  );

const changeCategory = (
  category: LicenseCategory,
  effect: NormalizedTerm['effect'],
): LicenseCategory => {
  if (effect === 'unknown') return 'unknown';
  return effect === 'linking' && category === 'copyleft' ? 'weak-copyleft' : category;
};

/** Returns the status of a known license with an exception that the organisation has not decided on. */
const findUndecided = (term: NormalizedTerm, held: HeldLicenses): LicenseVerdict => {
  const bareKey = toNormalizedKey(dropException(term));
  const bare = held.byKey.get(bareKey);
  const bareCategory = bare && !bare.own ? bare.category : 'unknown';
  const category = changeCategory(bareCategory, term.effect);
  const status = findStatusByPolicy(
    {
      ...{ key: toNormalizedKey(term), bareKey, category },
      ...(term.effect === 'unknown' && { bareCategory }),
    },
    held,
  );
  return { ...unreviewed, category, status };
};

/** Returns the status of one license by the stored licenses; undefined for an unknown one without a decision. */
const evaluateTerm = (term: NormalizedTerm, held: HeldLicenses): LicenseVerdict | undefined => {
  const item = held.byKey.get(toNormalizedKey(term));
  if (item) return { ...unreviewed, category: item.category, status: item.status };
  if (term.isUnknown) return undefined;
  // Each known license has an item, but for the moment before a deployment has loaded it.
  return term.exception === undefined ? unreviewed : findUndecided(term, held);
};

/** Normalized license, and its status in the organisation. */
interface EvaluatedLicense {
  /** SPDX expression; null for a license that only the organisation defines. */
  readonly normalized: string | null;
  readonly status: LicenseStatus;
}

/**
 * Returns the normalized license and its status by the organisation's decisions and policy. A decision on a name comes
 * before its normalization. Returns undefined if every license in it is unknown.
 */
export const evaluateNormalization = (
  tree: Normalization,
  held: HeldLicenses,
): EvaluatedLicense | undefined => {
  const read = applyNormalization(tree, (term) => held.byKey.has(toNormalizedKey(term)));
  const evaluate = (term: NormalizedTerm) => evaluateTerm(term, held);
  if (listTerms(read).every((term) => evaluate(term) === undefined)) return undefined;
  const { status } = evaluateExpression(read, evaluate);
  if (isCombination(read)) return { normalized: formatLicense(read), status };
  const item = held.byKey.get(toNormalizedKey(read));
  return { normalized: item ? (item.own ? null : item.name) : formatLicense(read), status };
};
