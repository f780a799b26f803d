import type { LicenseCategory } from './category.ts';
import type { LicenseStatus } from './license-status.ts';
import type { LicensePolicy } from './policy.ts';

/** Facts that the organisation enters for a license outside SPDX. */
export interface OwnFacts {
  readonly title: string | null;
  readonly url: string | null;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

/** Stored record of one license. SPDX's facts are not repeated here. */
export interface HeldLicense {
  readonly name: string;
  readonly category: LicenseCategory;
  /** Status of the decision, or else the policy's status. */
  readonly status: LicenseStatus;
  readonly note: string | null;
  readonly reviewed_by: string | null;
  /** Label of the deciding token. Absent without a decision, as for most of 700 licenses. */
  readonly reviewed_token_label?: string;
  /** Time of the decision, ISO 8601; null if only the policy applies. */
  readonly reviewed_at: string | null;
  /** Present only for a license outside SPDX. */
  readonly own?: OwnFacts;
}

/** Stored licenses by key, and the license policy if it was requested. */
export interface HeldLicenses {
  readonly byKey: ReadonlyMap<string, HeldLicense>;
  readonly policy: LicensePolicy | undefined;
}
