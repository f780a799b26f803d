import type { LicenseCategory } from '../../domain/licenses/category.ts';
import { hasUnknownAddition } from '../../domain/licenses/exceptions.ts';
import type { LicenseTerm } from '../../domain/licenses/expression.ts';
import type { LicenseStatus } from '../../domain/licenses/status.ts';
import { spdxFacts } from './license-facts.ts';
import type { StoredLicenses } from './license-items.ts';
import { bareTerm, termKey } from './license-terms.ts';

/** The decision on the license itself, which holds with an exception too: an exception only adds permission. */
const decisionOnBare = (
  term: LicenseTerm,
  { byKey }: StoredLicenses,
): LicenseStatus | undefined => {
  const bare = term.exception === undefined ? undefined : byKey.get(termKey(bareTerm(term)));
  return bare?.reviewed_at ? bare.status : undefined;
};

/**
 * What holds for a license that nobody decided on: what the policy says of it, the decision on the license without its
 * exception, what the policy says of that one, or of the category, which an exception may change.
 */
export const defaultStatus = (
  term: LicenseTerm,
  category: LicenseCategory,
  stored: StoredLicenses,
): LicenseStatus => {
  const { licenses = {}, categories } = stored.policy ?? {};
  const policyOn = (key: string): LicenseStatus | undefined =>
    Object.hasOwn(licenses, key) ? licenses[key] : undefined;
  const ofTerm = policyOn(termKey(term));
  const ofBare = decisionOnBare(term, stored) ?? policyOn(termKey(bareTerm(term)));
  if (ofTerm) return ofTerm;
  if (hasUnknownAddition(term)) {
    // What nobody knows may as well take permission away.
    const bareCategory = spdxFacts(bareTerm(term))?.category ?? 'unknown';
    const bare = ofBare ?? categories?.[bareCategory];
    return bare === 'rejected' ? bare : 'unreviewed';
  }
  return ofBare ?? categories?.[category] ?? 'unreviewed';
};
