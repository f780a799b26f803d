/** What kind of obligations a license has, from the least restrictive to the most; what is not known comes last. */
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

/** How restrictive a category is, from 0; `unknown` counts as the most restrictive, since it may be anything. */
export const rankCategory = (category: LicenseCategory): number =>
  licenseCategories.indexOf(category);

/** Whether the license demands that works with its code stay under it, in whole or in part. */
export const isCopyleft = (category: LicenseCategory): boolean =>
  category === 'weak-copyleft' || category === 'copyleft' || category === 'network-copyleft';

/** Whether the license withholds what open licenses give: commercial use, modification or redistribution. */
export const isClosed = (category: LicenseCategory): boolean =>
  category === 'source-available' || category === 'proprietary';
