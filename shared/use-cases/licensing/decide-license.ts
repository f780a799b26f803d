import type { LicenseDecision } from '../../api/schemas/license.ts';
import { RegistryError, refuseInvalid } from '../../domain/errors.ts';
import { findKnownLicense } from '../../domain/licenses/catalogue.ts';
import { findDefaultStatus } from '../../domain/licenses/default-status.ts';
import { formatLicense, type LicenseTerm } from '../../domain/licenses/expression.ts';
import type { OwnFacts } from '../../domain/licenses/held-license.ts';
import { findKnownFacts } from '../../domain/licenses/license-facts.ts';
import { type LicenseRecord, makeRecord } from '../../domain/licenses/license-record.ts';
import { dropException, toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { readTerm } from '../../domain/licenses/normalize/normalize-expression.ts';
import { parseLicense, parseTerm } from '../../domain/licenses/parse-license.ts';
import { addLicenseRecord } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import {
  deleteLicense,
  findLicenses,
  type LicenseItem,
  putLicense,
  type StoredLicenses,
  toLicenseItemKey,
} from '../../storage/licenses/license-items.ts';
import { requestPolicyRun } from '../../storage/reviews/policy-run.ts';
import { findHiddenFault, hasControlCharacters } from '../../util/characters.ts';

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

/** SPDX values for an unstated license (`NOASSERTION`) and for no license (`NONE`). */
const saysNothing = /^(?:NOASSERTION|NONE)$/i;

/**
 * Returns the single license that a name means.
 * @throws {RegistryError} for an expression, a known license with a plus, or an invalid name
 */
const parseOneLicense = (name: string): LicenseTerm => {
  const term = parseTerm(name);
  if (!term) {
    throw refuseInvalid(
      'name',
      'must be one license: decide on each license of an expression by itself',
    );
  }
  if (saysNothing.test(term.license)) {
    throw refuseInvalid('name', 'must be a license: this says that none is known');
  }
  const isKnown = findKnownLicense(term.license) !== undefined;
  if (isKnown && term.license.endsWith('+')) {
    throw refuseInvalid('name', `must be without the plus: decide on ${term.license.slice(0, -1)}`);
  }
  if (!isKnown && (term.license.length > maxNameLength || hasControlCharacters(term.license))) {
    throw refuseInvalid(
      'name',
      `must be at most ${maxNameLength} characters, none of them control characters`,
    );
  }
  const hidden = findHiddenFault(term.license);
  if (hidden) throw refuseInvalid('name', hidden);
  return term;
};

/** Returns the message for a missing category. It suggests the known license that the name is normalized to, if any. */
const explainMissingCategory = (term: LicenseTerm): string => {
  const read = readTerm(term);
  const other = read ? `: it reads as ${formatLicense(read)}, to decide on instead` : '';
  return `is required for a license that SPDX does not know by this name${other}`;
};

/**
 * Checks the license fields of a decision.
 * @throws {RegistryError} if fields of an SPDX license are set, or the category of an own license is missing
 */
const checkFacts = (term: LicenseTerm, decision: LicenseDecision): void => {
  if (!findKnownFacts(term)) {
    if (term.exception !== undefined) {
      throw refuseInvalid('name', 'must be a license that SPDX knows, where it has an exception');
    }
    if (decision.category === undefined) {
      throw refuseInvalid('category', explainMissingCategory(term));
    }
    return;
  }
  const field = factFields.find((name) => decision[name] !== undefined && decision[name] !== null);
  if (field === undefined) return;
  throw refuseInvalid(field, 'is known of an SPDX license; set only status, note and reviewed_by');
};

/** Returns the names in SPDX spelling without duplicates, so that the two lists can be compared. */
const spellNames = (names: readonly string[] | null | undefined): string[] => {
  const spellings = (names ?? []).map((name) => {
    const expression = parseLicense(name);
    return expression ? formatLicense(expression) : name;
  });
  return [...new Set(spellings)];
};

const toOwnFacts = (decision: LicenseDecision): OwnFacts => {
  const compatible_with = spellNames(decision.compatible_with);
  const incompatible_with = spellNames(decision.incompatible_with);
  const both = compatible_with.find((name) => incompatible_with.includes(name));
  if (both !== undefined) {
    throw refuseInvalid(
      'incompatible_with',
      `must not name ${both}, which compatible_with names too`,
    );
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

/** Returns the license item to store. */
const toItem = ({ term, decision, stored, context }: Deciding): Omit<LicenseItem, 'revision'> => {
  const key = toLicenseKey(term);
  const current = stored.byKey.get(key);
  const known = findKnownFacts(term);
  const category = known?.category ?? decision.category ?? 'unknown';
  const isReset = decision.status === null;
  const { label } = context.actor;
  return {
    ...toLicenseItemKey(key),
    name: current?.name ?? known?.name ?? formatLicense(term),
    category,
    status: decision.status ?? findDefaultStatus(term, category, stored),
    note: decision.note ?? null,
    reviewed_by: isReset ? null : (decision.reviewed_by ?? label),
    reviewed_at: isReset ? null : context.now.toISOString(),
    ...(!isReset && label !== null && { reviewed_token_label: label }),
    ...(!known && { own: toOwnFacts(decision) }),
  };
};

/**
 * Returns the write of a license item. A license with an exception that is reset to the policy is deleted, because its
 * status then follows from other items.
 */
const writeItem = (
  { term, decision }: Deciding,
  item: Omit<LicenseItem, 'revision'>,
  revision: number,
): Write => {
  const refuse = (): RegistryError =>
    new RegistryError(
      'license_conflict',
      `Someone else decided on ${item.name} at the same moment. Nothing was changed; read it, and decide again.`,
    );
  const isDropped = term.exception !== undefined && decision.status === null;
  return isDropped
    ? deleteLicense(item.license_key, revision, refuse)
    : putLicense(item, revision, refuse);
};

/** Sets the status of a license, or adds an own license. Writes the decision record in the same transaction. */
export const decideLicense = async (
  name: string,
  decision: LicenseDecision,
  context: WriteContext<LicenseRecord>,
): Promise<LicenseRecord> => {
  const term = parseOneLicense(name);
  checkFacts(term, decision);
  const keys = [toLicenseKey(term), toLicenseKey(dropException(term))];
  const stored = await findLicenses(keys, { withPolicy: true });
  const current = stored.byKey.get(toLicenseKey(term));
  const deciding = { term, decision, stored, context };
  const item = toItem(deciding);
  const record = makeRecord(term, { ...stored, byKey: new Map([[item.license_key, item]]) });
  if (!record) throw new Error(`No record of ${item.name}`);
  await transact(
    [
      ...context.remember(record),
      writeItem(deciding, item, current?.revision ?? 0),
      // Rules may decide otherwise on pending versions with this license.
      requestPolicyRun(context.now),
      addLicenseRecord(
        item,
        {
          type: 'license.decided',
          from: current?.status ?? null,
          to: item.status,
          by: decision.reviewed_by ?? context.actor.label,
          reason: item.note,
          terms: item.own,
        },
        { actor: context.actor, at: context.now.toISOString() },
      ),
    ],
    context.deadline,
  );
  return record;
};
