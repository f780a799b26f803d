import { findKnownLicense } from './catalogue.ts';
import { formatLicense, type LicenseTerm } from './expression.ts';

/** `Apache-2.0+` is held as `Apache-2.0`: whoever takes a later version decides on that one. */
const dropPlus = (license: string): string =>
  license.endsWith('+') && findKnownLicense(license) ? license.slice(0, -1) : license;

/** The license without its exception. */
export const dropException = ({ license }: LicenseTerm): LicenseTerm => ({ license });

/** The key under which a license is held, with its exception where it has one. */
export const toLicenseKey = ({ license, ...exception }: LicenseTerm): string =>
  formatLicense({ license: dropPlus(license), ...exception }).toLowerCase();
