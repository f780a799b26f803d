import type { LicenseCategory } from './category.ts';
import { hasUnknownAddition } from './exceptions.ts';
import type { LicenseTerm } from './expression.ts';
import type { HeldLicenses } from './held-license.ts';
import { findKnownFacts } from './license-facts.ts';
import type { LicenseStatus } from './license-status.ts';
import { dropException, toLicenseKey } from './license-terms.ts';

/**
 * Returns the decision on the license without its exception. It also applies with an exception, which only adds
 * permission.
 */
const findBareDecision = (
  term: LicenseTerm,
  { byKey }: HeldLicenses,
): LicenseStatus | undefined => {
  if (term.exception === undefined) return undefined;
  const bare = byKey.get(toLicenseKey(dropException(term)));
  return bare?.reviewed_at ? bare.status : undefined;
};

/**
 * Returns the status of a license without a decision. The first that exists applies: the policy for the license, the
 * decision on the license without its exception, the policy for that license, the policy for the category. An exception
 * may change the category.
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
    // An unknown exception may also restrict the license.
    const bareCategory = findKnownFacts(bare)?.category ?? 'unknown';
    const status = onBare ?? categories?.[bareCategory];
    return status === 'rejected' ? status : 'unreviewed';
  }
  return onBare ?? categories?.[category] ?? 'unreviewed';
};
