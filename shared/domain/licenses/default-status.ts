import type { LicenseCategory } from './category.ts';
import { hasUnknownAddition } from './exceptions.ts';
import type { LicenseTerm } from './expression.ts';
import type { HeldLicenses } from './held-license.ts';
import { findKnownFacts } from './license-facts.ts';
import type { LicenseStatus } from './license-status.ts';
import { dropException, toLicenseKey } from './license-terms.ts';

/** License without a decision, as the policy sees it. */
interface UndecidedLicense {
  readonly key: string;
  /** Key of the license without its exception; equal to `key` if it has none. */
  readonly bareKey: string;
  readonly category: LicenseCategory;
  /** Category without the exception; present only if SPDX does not know the exception. */
  readonly bareCategory?: LicenseCategory;
}

/**
 * Returns the decision on the license without its exception. It also applies with an exception, which only adds
 * permission.
 */
const findBareDecision = (
  { key, bareKey }: UndecidedLicense,
  { byKey }: HeldLicenses,
): LicenseStatus | undefined => {
  if (key === bareKey) return undefined;
  const bare = byKey.get(bareKey);
  return bare?.reviewed_at ? bare.status : undefined;
};

/**
 * Returns the status of a license without a decision. The first that exists applies: the policy for the license, the
 * decision on the license without its exception, the policy for that license, the policy for the category. An exception
 * may change the category.
 */
export const findStatusByPolicy = (
  undecided: UndecidedLicense,
  held: HeldLicenses,
): LicenseStatus => {
  const { licenses = {}, categories } = held.policy ?? {};
  const findPolicy = (key: string): LicenseStatus | undefined =>
    Object.hasOwn(licenses, key) ? licenses[key] : undefined;
  const { key, bareKey, category, bareCategory } = undecided;
  const onTerm = findPolicy(key);
  if (onTerm) return onTerm;
  const onBare = findBareDecision(undecided, held) ?? findPolicy(bareKey);
  if (bareCategory) {
    // An unknown exception may also restrict the license.
    const status = onBare ?? categories?.[bareCategory];
    return status === 'rejected' ? status : 'unreviewed';
  }
  return onBare ?? categories?.[category] ?? 'unreviewed';
};

/** Returns the status of a license without a decision, by the policy and by the decision without its exception. */
export const findDefaultStatus = (
  term: LicenseTerm,
  category: LicenseCategory,
  held: HeldLicenses,
): LicenseStatus => {
  const bare = dropException(term);
  const undecided = { key: toLicenseKey(term), bareKey: toLicenseKey(bare), category };
  if (!hasUnknownAddition(term)) return findStatusByPolicy(undecided, held);
  const bareCategory = findKnownFacts(bare)?.category ?? 'unknown';
  return findStatusByPolicy({ ...undecided, bareCategory }, held);
};
