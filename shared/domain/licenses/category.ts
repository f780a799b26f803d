/** License categories by obligations, from the least to the most restrictive. `unknown` is last. */
export const licenseCategories = [
  'public-domain',
  'permissive',
  'weak-copyleft',
  'copyleft',
  'network-copyleft',
  'source-available',
  'proprietary',
  'unknown',
] as const;
export type LicenseCategory = (typeof licenseCategories)[number];

/** Returns the rank of a category, from 0 for the least restrictive. `unknown` ranks as the most restrictive. */
export const rankCategory = (category: LicenseCategory): number =>
  licenseCategories.indexOf(category);

/** True if works with code under the license must have the same license, in whole or in part. */
export const isCopyleft = (category: LicenseCategory): boolean =>
  category === 'weak-copyleft' || category === 'copyleft' || category === 'network-copyleft';

/** True if the license withholds commercial use, modification or redistribution. */
export const isClosed = (category: LicenseCategory): boolean =>
  category === 'source-available' || category === 'proprietary';
