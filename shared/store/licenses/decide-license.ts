import { randomUUID } from 'node:crypto';
import { tableName } from '../../config/env.ts';
import { invalid, RegistryError } from '../../domain/errors.ts';
import {
  formatLicense,
  type LicenseTerm,
  parseLicense,
  parseTerm,
} from '../../domain/licenses/expression.ts';
import type { LicenseDecision, LicenseRecord } from '../../schemas/license.ts';
import { transact, type Write } from '../transact.ts';
import type { WriteContext } from '../write-context.ts';
import { spdxFacts } from './license-facts.ts';
import {
  type LicenseItem,
  licenseItemKey,
  type OwnFacts,
  type StoredLicenses,
} from './license-items.ts';
import { inheritedStatus, readLicenses, recordOf, termKey } from './license-records.ts';

const factFields = [
  'category',
  'title',
  'url',
  'requires_attribution',
  'allows_commercial',
  'compatible_with',
  'incompatible_with',
] as const;

/** The one license that a name means: nobody decides on an expression. */
const termOf = (name: string): LicenseTerm => {
  const term = parseTerm(name);
  if (term) return term;
  throw invalid('name', 'must be one license: decide on each license of an expression by itself');
};

/** Facts of an SPDX license are not the caller's to set, and a license of one's own needs its category. */
const checkFacts = (term: LicenseTerm, decision: LicenseDecision): void => {
  if (!spdxFacts(term)) {
    if (decision.category === undefined) {
      throw invalid('category', 'is required for a license that SPDX does not know');
    }
    if (term.exception !== undefined) {
      throw invalid('name', 'must be a license that SPDX knows, where it has an exception');
    }
    return;
  }
  const field = factFields.find((name) => decision[name] !== undefined && decision[name] !== null);
  if (field === undefined) return;
  throw invalid(field, 'is known of an SPDX license; set only status, note and reviewed_by');
};

/** Names as SPDX spells them, so that lists of both kinds compare. */
const spelled = (names: readonly string[] | null | undefined): string[] =>
  (names ?? []).map((name) => {
    const expression = parseLicense(name);
    return expression ? formatLicense(expression) : name;
  });

const ownFacts = (decision: LicenseDecision): OwnFacts => ({
  title: decision.title ?? null,
  url: decision.url ?? null,
  requires_attribution: decision.requires_attribution ?? null,
  allows_commercial: decision.allows_commercial ?? null,
  compatible_with: spelled(decision.compatible_with),
  incompatible_with: spelled(decision.incompatible_with),
});

const decided = (
  term: LicenseTerm,
  decision: LicenseDecision,
  { stored, context }: { stored: StoredLicenses; context: WriteContext<LicenseRecord> },
): LicenseItem => {
  const key = termKey(term);
  const current = stored.byKey.get(key);
  const known = spdxFacts(term);
  const fallback = current?.default_status ?? inheritedStatus(term, stored);
  const isReset = decision.status === null;
  return {
    ...licenseItemKey(key),
    name: current?.name ?? known?.name ?? formatLicense(term),
    category: known?.category ?? decision.category ?? 'unknown',
    status: decision.status ?? fallback,
    default_status: fallback,
    note: decision.note ?? null,
    reviewed_by: isReset ? null : (decision.reviewed_by ?? context.actor.label),
    reviewed_at: isReset ? null : context.now.toISOString(),
    revision: (current?.revision ?? 0) + 1,
    ...(!known && { own: ownFacts(decision) }),
  };
};

const putItem = (item: LicenseItem, current: LicenseItem | undefined): Write => ({
  operation: {
    Put: {
      TableName: tableName('licenses'),
      Item: item,
      ...(current
        ? {
            ConditionExpression: 'revision = :known',
            ExpressionAttributeValues: { ':known': current.revision },
          }
        : { ConditionExpression: 'attribute_not_exists(license_key)' }),
    },
  },
  refuse: () =>
    new RegistryError(
      'license_conflict',
      `Someone else decided on ${item.name} at the same moment. Nothing was changed; read it, and decide again.`,
    ),
});

/** The record that stays, next to those of packages: `license#` begins no package's key. */
const recordDecision = (
  item: LicenseItem,
  from: LicenseItem['status'] | null,
  { decision, context }: { decision: LicenseDecision; context: WriteContext<LicenseRecord> },
): Write => ({
  operation: {
    Put: {
      TableName: tableName('decisions'),
      Item: {
        package_key: `license#${item.license_key}`,
        decision_key: `${context.now.toISOString()} ${randomUUID()}`,
        from,
        to: item.status,
        by: decision.reviewed_by ?? context.actor.label,
        at: context.now.toISOString(),
        reason: item.note,
        facts: item.own,
        token_label: context.actor.label,
        token_fingerprint: context.actor.fingerprint,
      },
      ConditionExpression: 'attribute_not_exists(package_key)',
    },
  },
});

/** Sets what the organisation thinks of a license, or adds one of its own, and keeps a record of it in the same transaction. */
export const decideLicense = async (
  name: string,
  decision: LicenseDecision,
  context: WriteContext<LicenseRecord>,
): Promise<LicenseRecord> => {
  const term = termOf(name);
  checkFacts(term, decision);
  const stored = await readLicenses(term);
  const current = stored.byKey.get(termKey(term));
  const item = decided(term, decision, { stored, context });
  const record = recordOf(term, { ...stored, byKey: new Map([[item.license_key, item]]) });
  if (!record) throw new Error(`No record of ${item.name}`);
  const from = current?.status ?? null;
  await transact(
    [
      ...context.remember(record),
      putItem(item, current),
      recordDecision(item, from, { decision, context }),
    ],
    context.deadline,
  );
  return record;
};
