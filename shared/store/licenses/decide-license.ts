import { randomUUID } from 'node:crypto';
import { tableName } from '../../config/env.ts';
import { invalid, RegistryError } from '../../domain/errors.ts';
import { findSpdxLicense } from '../../domain/licenses/catalogue.ts';
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
  findLicenses,
  type LicenseItem,
  licenseItemKey,
  type OwnFacts,
  type StoredLicenses,
  unlessWritten,
} from './license-items.ts';
import { recordOf } from './license-records.ts';
import { defaultStatus } from './license-status.ts';
import { bareTerm, termKey } from './license-terms.ts';

const factFields = [
  'category',
  'title',
  'url',
  'requires_attribution',
  'allows_commercial',
  'compatible_with',
  'incompatible_with',
] as const;

const maxNameLength = 255;

/** The one license that a name means: nobody decides on an expression, nor on all later versions. */
const termOf = (name: string): LicenseTerm => {
  const term = parseTerm(name);
  if (!term) {
    throw invalid('name', 'must be one license: decide on each license of an expression by itself');
  }
  const isKnown = findSpdxLicense(term.license) !== undefined;
  if (isKnown && term.license.endsWith('+')) {
    throw invalid('name', `must be without the plus: decide on ${term.license.slice(0, -1)}`);
  }
  if (!isKnown && (term.license.length > maxNameLength || /\p{Cc}/u.test(term.license))) {
    throw invalid(
      'name',
      `must be at most ${maxNameLength} characters, none of them control characters`,
    );
  }
  return term;
};

/** Facts of an SPDX license are not the caller's to set, and a license of one's own needs its category. */
const checkFacts = (term: LicenseTerm, decision: LicenseDecision): void => {
  if (!spdxFacts(term)) {
    if (term.exception !== undefined) {
      throw invalid('name', 'must be a license that SPDX knows, where it has an exception');
    }
    if (decision.category === undefined) {
      throw invalid('category', 'is required for a license that SPDX does not know');
    }
    return;
  }
  const field = factFields.find((name) => decision[name] !== undefined && decision[name] !== null);
  if (field === undefined) return;
  throw invalid(field, 'is known of an SPDX license; set only status, note and reviewed_by');
};

/** Names as SPDX spells them, each once, so that lists of both kinds compare. */
const spelled = (names: readonly string[] | null | undefined): string[] => {
  const spellings = (names ?? []).map((name) => {
    const expression = parseLicense(name);
    return expression ? formatLicense(expression) : name;
  });
  return [...new Set(spellings)];
};

const ownFacts = (decision: LicenseDecision): OwnFacts => {
  const compatible_with = spelled(decision.compatible_with);
  const incompatible_with = spelled(decision.incompatible_with);
  const both = compatible_with.find((name) => incompatible_with.includes(name));
  if (both !== undefined) {
    throw invalid('incompatible_with', `must not name ${both}, which compatible_with names too`);
  }
  return {
    title: decision.title ?? null,
    url: decision.url ?? null,
    requires_attribution: decision.requires_attribution ?? null,
    allows_commercial: decision.allows_commercial ?? null,
    compatible_with,
    incompatible_with,
  };
};

interface Deciding {
  readonly term: LicenseTerm;
  readonly decision: LicenseDecision;
  readonly stored: StoredLicenses;
  readonly context: WriteContext<LicenseRecord>;
}

/** The license as it will be stored. */
const decided = ({ term, decision, stored, context }: Deciding): LicenseItem => {
  const key = termKey(term);
  const current = stored.byKey.get(key);
  const known = spdxFacts(term);
  const category = known?.category ?? decision.category ?? 'unknown';
  const isReset = decision.status === null;
  return {
    ...licenseItemKey(key),
    name: current?.name ?? known?.name ?? formatLicense(term),
    category,
    status: decision.status ?? defaultStatus(term, category, stored),
    note: decision.note ?? null,
    reviewed_by: isReset ? null : (decision.reviewed_by ?? context.actor.label),
    reviewed_at: isReset ? null : context.now.toISOString(),
    revision: (current?.revision ?? 0) + 1,
    ...(!known && { own: ownFacts(decision) }),
  };
};

/** A license with an exception that goes back to the policy is stored no more: what holds then follows from others. */
const writeItem = (
  { term, decision }: Deciding,
  item: LicenseItem,
  current?: LicenseItem,
): Write => {
  const TableName = tableName('licenses');
  const condition = unlessWritten(current?.revision ?? 0);
  const isDropped = term.exception !== undefined && decision.status === null;
  return {
    operation: isDropped
      ? { Delete: { TableName, Key: licenseItemKey(item.license_key), ...condition } }
      : { Put: { TableName, Item: item, ...condition } },
    refuse: () =>
      new RegistryError(
        'license_conflict',
        `Someone else decided on ${item.name} at the same moment. Nothing was changed; read it, and decide again.`,
      ),
  };
};

/** The record that stays, next to those of packages: `license#` begins no package's key. */
const recordDecision = (
  { decision, context }: Deciding,
  item: LicenseItem,
  from: LicenseItem['status'] | null,
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
  const keys = [termKey(term), termKey(bareTerm(term))];
  const stored = await findLicenses(keys, { withPolicy: true });
  const current = stored.byKey.get(termKey(term));
  const deciding = { term, decision, stored, context };
  const item = decided(deciding);
  const record = recordOf(term, { ...stored, byKey: new Map([[item.license_key, item]]) });
  if (!record) throw new Error(`No record of ${item.name}`);
  await transact(
    [
      ...context.remember(record),
      writeItem(deciding, item, current),
      recordDecision(deciding, item, current?.status ?? null),
    ],
    context.deadline,
  );
  return record;
};
