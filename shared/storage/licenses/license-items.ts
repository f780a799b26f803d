import type { HeldLicense, HeldLicenses } from '../../domain/licenses/held-license.ts';
import type { LicensePolicy } from '../../domain/licenses/policy.ts';
import { batchGet, queryItems, type Range } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, type Guard, putItem, type Write } from '../dynamodb/write.ts';

/**
 * Stored license: one for each SPDX license, each of the organisation's own, and each decided combination with an
 * exception.
 */
export interface LicenseItem extends HeldLicense {
  readonly kind: 'license';
  readonly license_key: string;
  /** Number of writes: the optimistic lock of the item. */
  readonly revision: number;
}

/** License policy of the last deployment, by license key. It decides about licenses without an item. */
export interface PolicyItem extends LicensePolicy {
  readonly kind: 'policy';
  readonly license_key: 'policy';
}

const licensesTable = defineTable<LicenseItem>('licenses');
const policyTable = defineTable<PolicyItem>('licenses');
const allTable = defineTable<LicenseItem | PolicyItem>('licenses');

const policyKey = { kind: 'policy', license_key: 'policy' } as const;

export const toLicenseItemKey = (key: string) => ({ kind: 'license', license_key: key }) as const;

/**
 * True if the text can be a key. DynamoDB refuses empty sort keys and those over 1,024 bytes; no license has such a
 * name.
 */
const isKey = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= 1024;

export interface StoredLicenses extends HeldLicenses {
  readonly byKey: ReadonlyMap<string, LicenseItem>;
}

/** Returns the stored licenses of these keys, and the policy if requested. Makes one batch read. */
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

/** Returns all stored licenses, or those of one status, or else of one category. */
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

/** Returns the guard that the item has this revision; 0 means that the item must not exist. */
const guardRevision = (revision: number, refuse: () => Error): Guard<LicenseItem> =>
  revision === 0
    ? { ConditionExpression: 'attribute_not_exists(license_key)', refuse }
    : {
        ConditionExpression: 'revision = :known',
        ExpressionAttributeValues: { ':known': revision },
        refuse,
      };

/** Returns the write that replaces a license of this revision, and increases the revision. */
export const putLicense = (
  license: Omit<LicenseItem, 'revision'>,
  revision: number,
  refuse: () => Error,
): Write =>
  putItem(licensesTable, { ...license, revision: revision + 1 }, guardRevision(revision, refuse));

/** Returns the write that deletes the license with this key and revision. */
export const deleteLicense = (key: string, revision: number, refuse: () => Error): Write =>
  deleteItem(licensesTable, toLicenseItemKey(key), guardRevision(revision, refuse));

/** Returns the write that replaces the policy. Its `licenses` are by license key. */
export const putPolicy = (policy: LicensePolicy): Write =>
  putItem(policyTable, { ...policyKey, ...policy });
