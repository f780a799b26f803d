import type { LicenseCategory } from './category.ts';
import type { LicenseStatus } from './license-status.ts';

/**
 * Default license statuses of the organisation, by license identifier and by category. The identifier takes precedence.
 * A decision on a license overrides both.
 */
export interface LicensePolicy {
  readonly categories: Readonly<Record<LicenseCategory, LicenseStatus>>;
  readonly licenses: Readonly<Record<string, LicenseStatus>>;
}
