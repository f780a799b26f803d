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
import { requestPolicyRun } from '../../storage/reviews/policy-run.ts';
import type { Deadline } from '../../util/deadline.ts';

/** DynamoDB's limit of items in one transaction. */
const batchSize = 100;

/** A concurrent decision on a license, between its read and its write. */
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

/** True if SPDX has changed the identifier of a stored license; its old key is no longer looked up. */
const isRenamed = ({ name, license_key, own }: LicenseItem): boolean =>
  own === undefined && toKey(name) !== license_key;

/** Stored licenses and the policy, as the load needs them. */
interface Stored {
  readonly items: readonly LicenseItem[];
  readonly byKey: ReadonlyMap<string, LicenseItem>;
  readonly policy: LicensePolicy;
}

/**
 * Returns the target items of all SPDX licenses. Decisions are preserved, also those on an earlier identifier; all other
 * fields come from SPDX and the policy.
 */
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

/** Returns the target items of own licenses and licenses with exceptions. Undecided ones follow the policy. */
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
  // New identifiers are written first, so that an interrupted load loses no decision on an earlier identifier.
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
 * Updates the license table from SPDX's licenses and the policy, and returns the number of writes. The load is idempotent:
 * a repetition completes an interrupted load, or writes nothing. Concurrent decisions are preserved.
 */
export const loadLicenses = async (given: LicensePolicy, deadline: Deadline): Promise<number> => {
  const policy = nameByKeys(given);
  await putAlone(putPolicy(policy));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const written = await loadOnce(policy, deadline);
      // Rules may decide otherwise on pending versions with these licenses.
      if (written > 0) await putAlone(requestPolicyRun(new Date()));
      return written;
    } catch (error) {
      if (!(error instanceof LicenseChangedError) || attempt === attempts) throw error;
    }
  }
};
