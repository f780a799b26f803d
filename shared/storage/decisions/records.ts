import { randomBytes } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type PackageId, toPackageKey } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { Evidence } from '../../domain/review/evidence.ts';
import type { RecordType } from '../../domain/review/record-type.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import type { AcceptanceScope } from '../../domain/vulnerabilities/acceptance.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryItems, type Range } from '../dynamodb/read.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/** The scan that something happened with or to. */
export interface RecordScan {
  readonly tool: string;
  readonly label: string | null;
  readonly number: number;
  /** The id of its slot. */
  readonly slot: string;
}

/** What a record says of what happened. */
export interface RecordFacts {
  readonly type: RecordType;
  /** Who did it, for people; null where nobody said, or nobody did. */
  readonly by: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  /** Why a version is wanted, as its submission says. */
  readonly justification?: string;
  /** The codes of what stood in the way and was overridden. */
  readonly overridden?: readonly string[];
  /** Until when an approval holds, ISO 8601; null for ever. */
  readonly expires_at?: string | null;
  /** What a decision stood on. */
  readonly evidence?: Evidence;
  /** The rule of the policy that decided, where no person did. */
  readonly rule?: string;
  /** How many seconds a version had waited for its first decision. */
  readonly waited_seconds?: number;
  readonly scan?: RecordScan;
  /** The id that was accepted, in upper case, and the number of that acceptance. */
  readonly vulnerability?: string;
  readonly acceptance?: number;
  /** What was said of a license of the organisation's own. */
  readonly terms?: object | undefined;
}

/** The record of something that happened, which stays as it is for ever. */
export interface RecordItem extends RecordFacts, Partial<PackageId> {
  readonly package_key: string;
  readonly decision_key: string;
  /** Its place in time, which no other record has: `at`, and what tells it from others of that moment. */
  readonly moment: string;
  /** Names it in events. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly license?: string;
  readonly token_label: string | null;
  readonly token_fingerprint: string | null;
}

export const recordsTable = defineTable<RecordItem>('decisions');

interface Happening {
  readonly actor: Actor;
  /** Later than that of any record before it of the same subject. */
  readonly at: string;
}

const makeRecord = (
  facts: RecordFacts,
  { actor, at }: Happening,
): Omit<RecordItem, 'package_key' | 'decision_key'> => {
  const id = randomBytes(9).toString('base64url');
  const { label, fingerprint } = actor;
  return {
    ...facts,
    id,
    at,
    moment: `${at} ${id}`,
    token_label: label,
    token_fingerprint: fingerprint,
  };
};

const putRecord = (item: RecordItem): Write =>
  putItem(recordsTable, item, { ConditionExpression: 'attribute_not_exists(package_key)' });

/** What the keys of a version's records begin with, among those of its package. No version has a blank in it. */
const toRecordPrefix = (ecosystem: Ecosystem, version: string): string =>
  `${canonicalizeVersion(ecosystem, version)} `;

/** Adds a record of a package version. All records of a package stand together, in each version's and in their own order. */
export const addRecord = (
  { ecosystem, name, version }: PackageId,
  facts: RecordFacts,
  happening: Happening,
): Write => {
  const record = makeRecord(facts, happening);
  return putRecord({
    package_key: toPackageKey(ecosystem, name),
    // Not the version's revision: that goes back when packages are restored, and the record of then must stay.
    decision_key: `${toRecordPrefix(ecosystem, version)}${record.moment}`,
    ...{ ecosystem, name, version },
    ...record,
  });
};

/**
 * Adds a record of a vulnerability that is about no version: with those of the package that it is about, or with those
 * of its id.
 */
export const addVulnerabilityRecord = (
  { ecosystem, name }: AcceptanceScope,
  facts: RecordFacts & Required<Pick<RecordFacts, 'vulnerability'>>,
  happening: Happening,
): Write => {
  const record = makeRecord(facts, happening);
  const scope = { ...(ecosystem && { ecosystem }), ...(name && { name }) };
  if (ecosystem && name) {
    // Before those of all versions, which have no blank in them.
    const key = {
      package_key: toPackageKey(ecosystem, name),
      decision_key: ` ${record.moment}`,
    };
    return putRecord({ ...key, ...scope, ...record });
  }
  // No package's key begins so.
  const key = {
    package_key: `vulnerability#${facts.vulnerability}`,
    decision_key: record.moment,
  };
  return putRecord({ ...key, ...scope, ...record });
};

/** Adds a record of a license. */
export const addLicenseRecord = (
  license: { readonly license_key: string; readonly name: string },
  facts: RecordFacts,
  happening: Happening,
): Write => {
  const record = makeRecord(facts, happening);
  return putRecord({
    // No package's key begins so.
    package_key: `license#${license.license_key}`,
    decision_key: record.moment,
    license: license.name,
    ...record,
  });
};

/** Which records are wanted: those of all versions of a package, or of one. */
interface RecordSelector {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version?: string | undefined;
}

/** No moment comes after it. */
const endOfTime = '~';

const selectRecords = (
  { ecosystem, name, version }: RecordSelector,
  before: string,
): Pick<Range, 'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'> => {
  const partition = { ':package': toPackageKey(ecosystem, name) };
  if (version === undefined) {
    return {
      IndexName: 'by-time',
      KeyConditionExpression: 'package_key = :package AND moment <= :before',
      ExpressionAttributeValues: { ...partition, ':before': before },
    };
  }
  const prefix = toRecordPrefix(ecosystem, version);
  return {
    KeyConditionExpression: 'package_key = :package AND decision_key BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ...partition,
      ':first': prefix,
      ':last': `${prefix}${before}`,
    },
  };
};

/** Up to `count` records, newest first: those before a moment, if one is given. */
export const listRecords = async (
  selector: RecordSelector,
  { before = endOfTime, count }: { readonly before?: string | undefined; readonly count: number },
): Promise<RecordItem[]> => {
  const range = { ...selectRecords(selector, before), ScanIndexForward: false };
  // A range of keys ends with what it names, which is one too many.
  const records = await queryItems(recordsTable, range, count + 1);
  return records.filter(({ moment }) => moment !== before).slice(0, count);
};

/** Reads a record in DynamoDB's own JSON, as the table's stream sends it; undefined for anything else. */
export const readRecordImage = (image: unknown): RecordItem | undefined => {
  if (typeof image !== 'object' || image === null) return undefined;
  try {
    const item = unmarshall(image as Parameters<typeof unmarshall>[0]);
    const isRecord = [item['id'], item['type'], item['at']].every(
      (text) => typeof text === 'string',
    );
    return isRecord ? typeItem(recordsTable, item) : undefined;
  } catch {
    return undefined;
  }
};
