import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../config/env.ts';
import { spdxLicenses } from '../../domain/licenses/catalogue.ts';
import { parseTerm } from '../../domain/licenses/expression.ts';
import type { LicensePolicy } from '../../schemas/license-policy.ts';
import { dynamodb } from '../dynamodb.ts';
import { queryItems } from '../query-items.ts';
import { type Deadline, transact, type Write } from '../transact.ts';
import { spdxFacts } from './license-facts.ts';
import {
  type LicenseItem,
  licenseItemKey,
  type PolicyItem,
  policyItemKey,
  unlessWritten,
} from './license-items.ts';
import { defaultStatus } from './license-status.ts';
import { termKey } from './license-terms.ts';

/** DynamoDB's own limit of items in one transaction. */
const batchSize = 100;

/** Someone decided on a license between the reading and the writing of it. */
class LicenseChangedError extends Error {
  override readonly name = 'LicenseChangedError';
}

const keyOf = (name: string): string => {
  const term = parseTerm(name);
  return term ? termKey(term) : name.toLowerCase();
};

const policyItem = ({ categories, licenses }: LicensePolicy): PolicyItem => ({
  ...policyItemKey,
  categories,
  licenses: Object.fromEntries(
    Object.entries(licenses).map(([name, status]) => [keyOf(name), status]),
  ),
});

type Decided = Pick<LicenseItem, 'status' | 'note' | 'reviewed_by' | 'reviewed_at'>;

const undecided = (status: LicenseItem['status']): Decided => ({
  status,
  note: null,
  reviewed_by: null,
  reviewed_at: null,
});

const decisionOf = ({ status, note, reviewed_by, reviewed_at }: LicenseItem): Decided => ({
  status,
  note,
  reviewed_by,
  reviewed_at,
});

/** SPDX gave the license another identifier since: under the old one, nobody finds it any more. */
const isRenamed = ({ name, license_key, own }: LicenseItem): boolean =>
  own === undefined && keyOf(name) !== license_key;

/** What is stored, as the load needs it. */
interface Stored {
  readonly items: readonly LicenseItem[];
  readonly byKey: ReadonlyMap<string, LicenseItem>;
  readonly policy: PolicyItem;
}

/** An SPDX license as it should be: a decision stays, also one on an earlier identifier; all else is SPDX's and the policy's. */
const spdxItems = (stored: Stored): LicenseItem[] => {
  const earlier = new Map(
    stored.items
      .filter((item) => item.reviewed_at !== null && isRenamed(item))
      .map((item) => [keyOf(item.name), item]),
  );
  return spdxLicenses
    .map(({ name, category }) => ({ name, category, key: keyOf(name) }))
    .filter(({ key }) => stored.byKey.get(key)?.own === undefined)
    .map(({ name, category, key }) => {
      const current = stored.byKey.get(key);
      const reviewed = current?.reviewed_at ? current : earlier.get(key);
      const decided = reviewed
        ? decisionOf(reviewed)
        : undecided(defaultStatus({ license: name }, category, stored));
      const revision = current?.revision ?? 0;
      return { ...licenseItemKey(key), name, category, ...decided, revision };
    });
};

/** Licenses of the organisation's own, and with exceptions, as they should be: undecided ones follow the policy. */
const otherItems = (stored: Stored): LicenseItem[] =>
  stored.items
    .filter((item) => item.own !== undefined || parseTerm(item.name)?.exception !== undefined)
    .filter((item) => !isRenamed(item))
    .map((item) => {
      const term = parseTerm(item.name) ?? { license: item.name };
      const category = item.own ? item.category : (spdxFacts(term)?.category ?? item.category);
      const decided = item.reviewed_at
        ? decisionOf(item)
        : undecided(defaultStatus(term, category, stored));
      return { ...item, category, ...decided };
    });

const isSame = (a: LicenseItem, b: LicenseItem | undefined): boolean =>
  b !== undefined && (Object.keys(a) as (keyof LicenseItem)[]).every((key) => a[key] === b[key]);

const unlessChanged = ({ revision }: LicenseItem) => ({
  TableName: tableName('licenses'),
  ...unlessWritten(revision),
});

const refusalOf =
  ({ name }: LicenseItem) =>
  () =>
    new LicenseChangedError(`A decision on ${name} came in between`);

const putItem = (item: LicenseItem): Write => ({
  operation: { Put: { Item: { ...item, revision: item.revision + 1 }, ...unlessChanged(item) } },
  refuse: refusalOf(item),
});

const deleteItem = (item: LicenseItem): Write => ({
  operation: { Delete: { Key: licenseItemKey(item.license_key), ...unlessChanged(item) } },
  refuse: refusalOf(item),
});

const readStored = async (policy: PolicyItem): Promise<Stored> => {
  const items = (await queryItems({
    TableName: tableName('licenses'),
    KeyConditionExpression: 'kind = :kind',
    ExpressionAttributeValues: { ':kind': 'license' },
  })) as unknown as LicenseItem[];
  return { items, policy, byKey: new Map(items.map((item) => [item.license_key, item])) };
};

const loadOnce = async (policy: PolicyItem, deadline: Deadline): Promise<number> => {
  const stored = await readStored(policy);
  const changed = [...spdxItems(stored), ...otherItems(stored)].filter(
    (item) => !isSame(item, stored.byKey.get(item.license_key)),
  );
  // Successors first: a load that is cut short must not have lost what was decided on their earlier names.
  const writes = [...changed.map(putItem), ...stored.items.filter(isRenamed).map(deleteItem)];
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
export const loadLicenses = async (policy: LicensePolicy, deadline: Deadline): Promise<number> => {
  const item = policyItem(policy);
  await dynamodb.send(new PutCommand({ TableName: tableName('licenses'), Item: item }));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadOnce(item, deadline);
    } catch (error) {
      if (!(error instanceof LicenseChangedError) || attempt === attempts) throw error;
    }
  }
};
