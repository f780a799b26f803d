import type { LicenseCategory } from './category.ts';
import { hasUnknownAddition } from './exceptions.ts';
import type { LicenseTerm } from './expression.ts';
import type { HeldLicenses } from './held-license.ts';
import { findKnownFacts } from './license-facts.ts';
import { dropException, toLicenseKey } from './license-terms.ts';
import type { LicenseStatus } from './status.ts';

/** The decision on the license itself, which holds with an exception too: an exception only adds permission. */
const findBareDecision = (
  term: LicenseTerm,
  { byKey }: HeldLicenses,
): LicenseStatus | undefined => {
  if (term.exception === undefined) return undefined;
  const bare = byKey.get(toLicenseKey(dropException(term)));
  return bare?.reviewed_at ? bare.status : undefined;
};

/**
 * Finds what holds for a license that nobody decided on: what the policy says of it, the decision on the license without
 * its exception, what the policy says of that one, or of the category, which an exception may change.
 */
export const findDefaultStatus = (
  term: LicenseTerm,
  category: LicenseCategory,
  held: HeldLicenses,
): LicenseStatus => {
  const { licenses = {}, categories } = held.policy ?? {};
  const findPolicy = (key: string): LicenseStatus | undefined =>
    Object.hasOwn(licenses, key) ? licenses[key] : undefined;
  const bare = dropException(term);
  const onTerm = findPolicy(toLicenseKey(term));
  if (onTerm) return onTerm;
  const onBare = findBareDecision(term, held) ?? findPolicy(toLicenseKey(bare));
  if (hasUnknownAddition(term)) {
    // What nobody knows may as well take permission away.
    const bareCategory = findKnownFacts(bare)?.category ?? 'unknown';
    const status = onBare ?? categories?.[bareCategory];
    return status === 'rejected' ? status : 'unreviewed';
  }
  return onBare ?? categories?.[category] ?? 'unreviewed';
};
