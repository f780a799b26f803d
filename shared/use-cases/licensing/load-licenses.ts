import { knownLicenses } from '../../domain/licenses/catalogue.ts';
import { findDefaultStatus } from '../../domain/licenses/default-status.ts';
import type { HeldLicense } from '../../domain/licenses/held-license.ts';
import { findKnownFacts } from '../../domain/licenses/license-facts.ts';
import { toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { parseTerm } from '../../domain/licenses/parse-license.ts';
import type { LicensePolicy } from '../../domain/licenses/policy.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { putAlone } from '../../storage/dynamodb/write-alone.ts';
import {
  deleteLicense,
  type LicenseItem,
  putLicense,
  putPolicy,
  readLicenses,
  toLicenseItemKey,
} from '../../storage/licenses/license-items.ts';
import type { Deadline } from '../../util/deadline.ts';

/** DynamoDB's own limit of items in one transaction. */
const batchSize = 100;

/** Someone decided on a license between the reading and the writing of it. */
class LicenseChangedError extends Error {
  override readonly name = 'LicenseChangedError';
}

const toKey = (name: string): string => {
  const term = parseTerm(name);
  return term ? toLicenseKey(term) : name.toLowerCase();
};

const nameByKeys = ({ categories, licenses }: LicensePolicy): LicensePolicy => ({
  categories,
  licenses: Object.fromEntries(
    Object.entries(licenses).map(([name, status]) => [toKey(name), status]),
  ),
});

type Decision = Pick<
  HeldLicense,
  'status' | 'note' | 'reviewed_by' | 'reviewed_token_label' | 'reviewed_at'
>;

const leaveUndecided = (status: HeldLicense['status']): Decision => ({
  status,
  note: null,
  reviewed_by: null,
  reviewed_at: null,
});

const pickDecision = ({ status, note, ...decided }: HeldLicense): Decision => ({
  status,
  note,
  reviewed_by: decided.reviewed_by,
  reviewed_at: decided.reviewed_at,
  ...(decided.reviewed_token_label !== undefined && {
    reviewed_token_label: decided.reviewed_token_label,
  }),
});

/** SPDX gave the license another identifier since: under the old one, nobody finds it any more. */
const isRenamed = ({ name, license_key, own }: LicenseItem): boolean =>
  own === undefined && toKey(name) !== license_key;

/** What is stored, as the load needs it. */
interface Stored {
  readonly items: readonly LicenseItem[];
  readonly byKey: ReadonlyMap<string, LicenseItem>;
  readonly policy: LicensePolicy;
}

/** The known licenses as they should be: a decision stays, also one on an earlier identifier; all else is SPDX's and the policy's. */
const planKnownItems = (stored: Stored): LicenseItem[] => {
  const earlier = new Map(
    stored.items
      .filter((item) => item.reviewed_at !== null && isRenamed(item))
      .map((item) => [toKey(item.name), item]),
  );
  return knownLicenses
    .map(({ name, category }) => ({ name, category, key: toKey(name) }))
    .filter(({ key }) => stored.byKey.get(key)?.own === undefined)
    .map(({ name, category, key }) => {
      const current = stored.byKey.get(key);
      const reviewed = current?.reviewed_at ? current : earlier.get(key);
      const decision = reviewed
        ? pickDecision(reviewed)
        : leaveUndecided(findDefaultStatus({ license: name }, category, stored));
      const revision = current?.revision ?? 0;
      return { ...toLicenseItemKey(key), name, category, ...decision, revision };
    });
};

/** Licenses of the organisation's own, and with exceptions, as they should be: undecided ones follow the policy. */
const planOtherItems = (stored: Stored): LicenseItem[] =>
  stored.items
    .filter((item) => item.own !== undefined || parseTerm(item.name)?.exception !== undefined)
    .filter((item) => !isRenamed(item))
    .map((item) => {
      const term = parseTerm(item.name) ?? { license: item.name };
      const category = item.own ? item.category : (findKnownFacts(term)?.category ?? item.category);
      const decision = item.reviewed_at
        ? pickDecision(item)
        : leaveUndecided(findDefaultStatus(term, category, stored));
      return { ...item, category, ...decision };
    });

const isSame = (a: LicenseItem, b: LicenseItem | undefined): boolean =>
  b !== undefined && (Object.keys(a) as (keyof LicenseItem)[]).every((key) => a[key] === b[key]);

const refuseChange =
  ({ name }: LicenseItem) =>
  () =>
    new LicenseChangedError(`A decision on ${name} came in between`);

const readStored = async (policy: LicensePolicy): Promise<Stored> => {
  const items = await readLicenses();
  return { items, policy, byKey: new Map(items.map((item) => [item.license_key, item])) };
};

const loadOnce = async (policy: LicensePolicy, deadline: Deadline): Promise<number> => {
  const stored = await readStored(policy);
  const changed = [...planKnownItems(stored), ...planOtherItems(stored)].filter(
    (item) => !isSame(item, stored.byKey.get(item.license_key)),
  );
  // Successors first: a load that is cut short must not have lost what was decided on their earlier names.
  const writes = [
    ...changed.map((item) => putLicense(item, item.revision, refuseChange(item))),
    ...stored.items
      .filter(isRenamed)
      .map((item) => deleteLicense(item.license_key, item.revision, refuseChange(item))),
  ];
  for (let at = 0; at < writes.length; at += batchSize) {
    await transact(writes.slice(at, at + batchSize), deadline);
  }
  return writes.length;
};

const attempts = 5;

/**
 * Brings the table in line with SPDX's licenses and the policy; resolves to how many licenses it wrote. Done again it
 * writes none, and done halfway it is finished by doing it again. A decision that comes in meanwhile stays.
 */
export const loadLicenses = async (given: LicensePolicy, deadline: Deadline): Promise<number> => {
  const policy = nameByKeys(given);
  await putAlone(putPolicy(policy));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadOnce(policy, deadline);
    } catch (error) {
      if (!(error instanceof LicenseChangedError) || attempt === attempts) throw error;
    }
  }
};
