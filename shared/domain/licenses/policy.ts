import type { LicenseCategory } from './category.ts';
import type { LicenseStatus } from './status.ts';

/** What the organisation thinks of licenses before anyone decided on one: by category, and by identifier, which goes first. */
export interface LicensePolicy {
  readonly categories: Readonly<Record<LicenseCategory, LicenseStatus>>;
  readonly licenses: Readonly<Record<string, LicenseStatus>>;
}
