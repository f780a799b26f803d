import type { LicenseCategory } from './category.ts';
import type { LicensePolicy } from './policy.ts';
import type { LicenseStatus } from './status.ts';

/** What the organisation says of a license that SPDX does not know. */
export interface OwnFacts {
  readonly title: string | null;
  readonly url: string | null;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

/** What the organisation holds on one license. What SPDX knows of it is not repeated here. */
export interface HeldLicense {
  readonly name: string;
  readonly category: LicenseCategory;
  /** What holds: the status decided on, else the policy's. */
  readonly status: LicenseStatus;
  readonly note: string | null;
  readonly reviewed_by: string | null;
  /** The label of the token with which the organisation decided. Left out of most of 700 licenses, which nobody decided on. */
  readonly reviewed_token_label?: string;
  /** When the organisation decided, ISO 8601; null while the policy holds. */
  readonly reviewed_at: string | null;
  /** Only for a license that SPDX does not know. */
  readonly own?: OwnFacts;
}

/** What the organisation holds on some licenses, by their keys, and its policy where that was asked for. */
export interface HeldLicenses {
  readonly byKey: ReadonlyMap<string, HeldLicense>;
  readonly policy: LicensePolicy | undefined;
}
