import { findKnownLicense } from './catalogue.ts';
import { formatLicense, type LicenseTerm } from './expression.ts';

/**
 * Removes the `+` of a known license: `Apache-2.0+` is stored as `Apache-2.0`. A later version needs its own decision.
 */
const dropPlus = (license: string): string =>
  license.endsWith('+') && findKnownLicense(license) ? license.slice(0, -1) : license;

/** Returns the license without its exception. */
export const dropException = ({ license }: LicenseTerm): LicenseTerm => ({ license });

/** Returns the storage key of a license, in lower case and including its exception. */
export const toLicenseKey = ({ license, ...exception }: LicenseTerm): string =>
  formatLicense({ license: dropPlus(license), ...exception }).toLowerCase();
