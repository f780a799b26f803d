import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../config/env.ts';
import { spdxLicenses } from '../../domain/licenses/catalogue.ts';
import { formatLicense, type LicenseTerm, parseTerm } from '../../domain/licenses/expression.ts';
import type { LicensePolicy } from '../../schemas/license-policy.ts';
import { dynamodb } from '../dynamodb.ts';
import { queryItems } from '../query-items.ts';
import { type Deadline, transact, type Write } from '../transact.ts';
import { spdxFacts } from './license-facts.ts';
import { type LicenseItem, licenseItemKey, policyItemKey } from './license-items.ts';
import { termKey } from './license-records.ts';

/** DynamoDB's own limit of items in one transaction. */
const batchSize = 100;

/** Someone decided on a license between the reading and the writing of it. */
class LicenseChangedError extends Error {
  override readonly name = 'LicenseChangedError';
}

/** Every license that SPDX knows, those that the policy names, and those with an exception that somebody decided on. */
const termsToLoad = (policy: LicensePolicy, stored: readonly LicenseItem[]): LicenseTerm[] => {
  const names = [
    ...spdxLicenses.map(({ name }) => name),
    ...Object.keys(policy.licenses),
    ...stored.filter(({ own }) => own === undefined).map(({ name }) => name),
  ];
  const terms = names.map(parseTerm).filter((term) => term !== undefined);
  return [...new Map(terms.map((term) => [termKey(term), term])).values()];
};

/** The item as it should be: a decision of the organisation stays, all else is SPDX's and the policy's. */
const itemFor = (
  term: LicenseTerm,
  current: LicenseItem | undefined,
  policyOf: (term: LicenseTerm) => LicenseItem['status'],
): LicenseItem => {
  const default_status = policyOf(term);
  return {
    ...licenseItemKey(termKey(term)),
    name: spdxFacts(term)?.name ?? formatLicense(term),
    category: spdxFacts(term)?.category ?? 'unknown',
    status: current?.reviewed_at ? current.status : default_status,
    default_status,
    note: current?.note ?? null,
    reviewed_by: current?.reviewed_by ?? null,
    reviewed_at: current?.reviewed_at ?? null,
    revision: current?.revision ?? 0,
  };
};

const isSame = (a: LicenseItem, b: LicenseItem | undefined): boolean =>
  b !== undefined && (Object.keys(a) as (keyof LicenseItem)[]).every((key) => a[key] === b[key]);

const putUnlessChanged = (item: LicenseItem): Write => ({
  operation: {
    Put: {
      TableName: tableName('licenses'),
      Item: { ...item, revision: item.revision + 1 },
      ConditionExpression: 'attribute_not_exists(license_key) OR revision = :known',
      ExpressionAttributeValues: { ':known': item.revision },
    },
  },
  refuse: () => new LicenseChangedError(`A decision on ${item.name} came in between`),
});

const createPolicy = (policy: LicensePolicy) => {
  const named = new Map(
    Object.entries(policy.licenses).map(([name, status]) => {
      const term = parseTerm(name);
      return [term && termKey(term), status];
    }),
  );
  return (term: LicenseTerm): LicenseItem['status'] =>
    named.get(termKey(term)) ?? policy.categories[spdxFacts(term)?.category ?? 'unknown'];
};

const loadOnce = async (policy: LicensePolicy, deadline: Deadline): Promise<number> => {
  const stored = (await queryItems({
    TableName: tableName('licenses'),
    KeyConditionExpression: 'kind = :kind',
    ExpressionAttributeValues: { ':kind': 'license' },
  })) as unknown as LicenseItem[];
  const byKey = new Map(stored.map((item) => [item.license_key, item]));
  const policyOf = createPolicy(policy);
  const changed = termsToLoad(policy, stored)
    .map((term) => itemFor(term, byKey.get(termKey(term)), policyOf))
    .filter((item) => !isSame(item, byKey.get(item.license_key)));
  for (let at = 0; at < changed.length; at += batchSize) {
    await transact(changed.slice(at, at + batchSize).map(putUnlessChanged), deadline);
  }
  return changed.length;
};

const attempts = 5;

/**
 * Brings the table in line with SPDX's licenses and the policy; resolves to how many licenses it wrote. Done again it
 * writes none, and done halfway it is finished by doing it again. A decision that comes in meanwhile stays.
 */
export const loadLicenses = async (policy: LicensePolicy, deadline: Deadline): Promise<number> => {
  const item = { ...policyItemKey, ...policy };
  await dynamodb.send(new PutCommand({ TableName: tableName('licenses'), Item: item }));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadOnce(policy, deadline);
    } catch (error) {
      if (!(error instanceof LicenseChangedError) || attempt === attempts) throw error;
    }
  }
};
