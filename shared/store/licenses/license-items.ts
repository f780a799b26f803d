import type { LicenseCategory } from '../../domain/licenses/category.ts';
import type { LicenseStatus } from '../../domain/licenses/status.ts';
import type { LicensePolicy } from '../../schemas/license-policy.ts';
import { batchGet } from '../batch-get.ts';

/** What the organisation says of a license that SPDX does not know. */
export interface OwnFacts {
  readonly title: string | null;
  readonly url: string | null;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
  readonly compatible_with: readonly string[];
  readonly incompatible_with: readonly string[];
}

/**
 * A license as it is stored: what the organisation thinks of it. What SPDX knows of it is in the catalogue. There is one
 * for each license of SPDX, for each of the organisation's own, and for each with an exception that was decided on.
 */
export interface LicenseItem {
  readonly kind: 'license';
  readonly license_key: string;
  readonly name: string;
  readonly category: LicenseCategory;
  /** What holds: the status decided on, else the policy's. */
  readonly status: LicenseStatus;
  readonly note: string | null;
  readonly reviewed_by: string | null;
  /** When the organisation decided; null while the policy holds. */
  readonly reviewed_at: string | null;
  /** Counts writes, so that one can be conditional on no other in between. */
  readonly revision: number;
  readonly own?: OwnFacts;
}

/** The policy as it was last deployed, its licenses by their keys. It decides on what has no item. */
export interface PolicyItem extends LicensePolicy {
  readonly kind: 'policy';
  readonly license_key: 'policy';
}

export const policyItemKey = { kind: 'policy', license_key: 'policy' } as const;

export const licenseItemKey = (key: string) => ({ kind: 'license', license_key: key }) as const;

/** The condition that nobody wrote the item since it was read; revision 0 is that of one that was not there. */
export const unlessWritten = (revision: number) =>
  revision === 0
    ? { ConditionExpression: 'attribute_not_exists(license_key)' }
    : {
        ConditionExpression: 'revision = :known',
        ExpressionAttributeValues: { ':known': revision },
      };

/** DynamoDB refuses an empty key and one over 1,024 bytes in a sort key; no license has such a name. */
const isKey = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= 1024;

export interface StoredLicenses {
  readonly byKey: ReadonlyMap<string, LicenseItem>;
  readonly policy: PolicyItem | undefined;
}

/** The licenses of these keys, those that there are, and the policy where it is asked for: in one call. */
export const findLicenses = async (
  keys: Iterable<string>,
  { withPolicy }: { readonly withPolicy: boolean },
): Promise<StoredLicenses> => {
  const wanted = [...new Set(keys)].filter(isKey).map(licenseItemKey);
  const items = await batchGet('licenses', [...wanted, ...(withPolicy ? [policyItemKey] : [])]);
  const found = items as unknown as (LicenseItem | PolicyItem)[];
  const licenses = found.filter((item) => item.kind === 'license');
  return {
    byKey: new Map(licenses.map((item) => [item.license_key, item])),
    policy: found.find((item) => item.kind === 'policy'),
  };
};
