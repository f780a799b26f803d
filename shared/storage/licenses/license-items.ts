import type { HeldLicense, HeldLicenses } from '../../domain/licenses/held-license.ts';
import type { LicensePolicy } from '../../domain/licenses/policy.ts';
import { batchGet, queryItems, type Range } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, type Guard, putItem, type Write } from '../dynamodb/write.ts';

/** There is one for each license of SPDX, for each of the organisation's own, and for each with an exception that was decided on. */
export interface LicenseItem extends HeldLicense {
  readonly kind: 'license';
  readonly license_key: string;
  /** Counts writes, so that one can be conditional on no other in between. */
  readonly revision: number;
}

/** The policy as it was last deployed, its licenses by their keys. It decides on what has no item. */
export interface PolicyItem extends LicensePolicy {
  readonly kind: 'policy';
  readonly license_key: 'policy';
}

const licensesTable = defineTable<LicenseItem>('licenses');
const policyTable = defineTable<PolicyItem>('licenses');
const allTable = defineTable<LicenseItem | PolicyItem>('licenses');

const policyKey = { kind: 'policy', license_key: 'policy' } as const;

export const toLicenseItemKey = (key: string) => ({ kind: 'license', license_key: key }) as const;

/** DynamoDB refuses an empty key and one over 1,024 bytes in a sort key; no license has such a name. */
const isKey = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= 1024;

export interface StoredLicenses extends HeldLicenses {
  readonly byKey: ReadonlyMap<string, LicenseItem>;
}

/** The licenses of these keys, those that there are, and the policy where it is asked for: in one call. */
export const findLicenses = async (
  keys: Iterable<string>,
  { withPolicy }: { readonly withPolicy: boolean },
): Promise<StoredLicenses> => {
  const wanted = [...new Set(keys)].filter(isKey).map(toLicenseItemKey);
  const itemKeys = [...wanted, ...(withPolicy ? [policyKey] : [])];
  const found = await batchGet(allTable, itemKeys, { unitsAnItem: 2 });
  const licenses = found.filter((item) => item.kind === 'license');
  return {
    byKey: new Map(licenses.map((item) => [item.license_key, item])),
    policy: found.find((item) => item.kind === 'policy'),
  };
};

const selectBy = (field: 'status' | 'category', value: string): Range => ({
  IndexName: `by-${field}`,
  KeyConditionExpression: 'kind = :kind AND #field = :value',
  ExpressionAttributeNames: { '#field': field },
  ExpressionAttributeValues: { ':kind': 'license', ':value': value },
});

const selectAll: Range = {
  KeyConditionExpression: 'kind = :kind',
  ExpressionAttributeValues: { ':kind': 'license' },
};

/** Every license that is held, or those of one status or else one category. */
export const readLicenses = ({
  status,
  category,
}: {
  readonly status?: string | undefined;
  readonly category?: string | undefined;
} = {}): Promise<LicenseItem[]> => {
  if (status !== undefined) return queryItems(licensesTable, selectBy('status', status));
  if (category !== undefined) return queryItems(licensesTable, selectBy('category', category));
  return queryItems(licensesTable, selectAll);
};

/** Holds where nobody wrote the item since it was read; revision 0 is that of one that was not there. */
const guardRevision = (revision: number, refuse: () => Error): Guard<LicenseItem> =>
  revision === 0
    ? { ConditionExpression: 'attribute_not_exists(license_key)', refuse }
    : {
        ConditionExpression: 'revision = :known',
        ExpressionAttributeValues: { ':known': revision },
        refuse,
      };

/** Puts a license in place of the one of this revision, with the next one. */
export const putLicense = (
  license: Omit<LicenseItem, 'revision'>,
  revision: number,
  refuse: () => Error,
): Write =>
  putItem(licensesTable, { ...license, revision: revision + 1 }, guardRevision(revision, refuse));

/** Deletes the license of this key and revision. */
export const deleteLicense = (key: string, revision: number, refuse: () => Error): Write =>
  deleteItem(licensesTable, toLicenseItemKey(key), guardRevision(revision, refuse));

/** Puts the policy in place of the one before. `licenses` are by their keys. */
export const putPolicy = (policy: LicensePolicy): Write =>
  putItem(policyTable, { ...policyKey, ...policy });
