import { findSpdxLicense } from '../../domain/licenses/catalogue.ts';
import { formatLicense, type LicenseTerm } from '../../domain/licenses/expression.ts';

/** `Apache-2.0+` is stored as `Apache-2.0`: whoever takes a later version decides on that one. */
const withoutPlus = (license: string): string =>
  license.endsWith('+') && findSpdxLicense(license) ? license.slice(0, -1) : license;

/** The license without its exception. */
export const bareTerm = ({ license }: LicenseTerm): LicenseTerm => ({ license });

/** The key under which a license stands, with its exception where it has one. */
export const termKey = ({ license, ...exception }: LicenseTerm): string =>
  formatLicense({ license: withoutPlus(license), ...exception }).toLowerCase();
