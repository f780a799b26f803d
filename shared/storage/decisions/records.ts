import { randomBytes } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type PackageId, toPackageKey } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { Evidence } from '../../domain/review/evidence.ts';
import type { RecordType } from '../../domain/review/record-type.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import type { AcceptanceScope } from '../../domain/vulnerabilities/acceptance.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem, queryItems, type Range } from '../dynamodb/read.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/** Scan that a record refers to. */
export interface RecordScan {
  readonly tool: string;
  readonly label: string | null;
  readonly number: number;
  /** Id of the scan source. */
  readonly source: string;
}

/** The status, in a record of a restore, of a version that is not in the registry. Answers of the check have the same word. */
export const unknown = 'unknown';

/** Content of a record. */
export interface RecordFacts {
  readonly type: RecordType;
  /** Name of the person who acted; null if unknown, or if no person acted. */
  readonly by: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  /** Justification from the submission. */
  readonly justification?: string;
  /** Codes of the blocking issues that were overridden. */
  readonly overridden?: readonly string[];
  /** Expiry of an approval, ISO 8601; null if it never expires. */
  readonly expires_at?: string | null;
  /** Evidence of the decision. */
  readonly evidence?: Evidence;
  /** Evidence version at the decision. Records of earlier releases have none. */
  readonly evidence_version?: string;
  /** Digest of the upstream metadata whose files the decision concerns. Records of earlier releases have none. */
  readonly pinned?: string;
  /** Policy rule that decided, if no person did. */
  readonly rule?: string;
  /** Record of malware that a recall follows from, that a release ends, or that a person accepted. */
  readonly recall?: string;
  /** Seconds from the submission to the first decision. */
  readonly waited_seconds?: number;
  readonly scan?: RecordScan;
  /** Accepted vulnerability id in upper case, and the number of its risk acceptance. */
  readonly vulnerability?: string;
  readonly acceptance?: number;
  /** True for a comment that is a question. */
  readonly question?: boolean;
  /** Number of projects that use the version, at least. */
  readonly projects?: number;
  /** Time of a freeze after which versions are refused, ISO 8601. */
  readonly before?: string;
  /** Terms of a license of the organisation's own. */
  readonly terms?: object | undefined;
}

/** Immutable record of an event in the history of a version, vulnerability or license, or of the registry. */
export interface RecordItem extends RecordFacts, Partial<PackageId> {
  readonly package_key: string;
  readonly decision_key: string;
  /** Unique sort value: `at` and the record's id. */
  readonly moment: string;
  /** Id of the record in events. */
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
  /** Time later than that of each earlier record of the same subject. */
  readonly at: string;
  /** Id of the record, if it follows from something that may be reported twice; random if omitted. */
  readonly id?: string;
}

const makeRecord = (
  facts: RecordFacts,
  { actor, at, id = randomBytes(9).toString('base64url') }: Happening,
): Omit<RecordItem, 'package_key' | 'decision_key'> => {
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

/** Returns the key prefix of a version's records among those of its package. No version contains a blank. */
const toRecordPrefix = (ecosystem: Ecosystem, version: string): string =>
  `${canonicalizeVersion(ecosystem, version)} `;

/**
 * Returns the write that adds a record of a version. All records of a package share a partition, sorted by version and
 * time; an index sorts them by time alone.
 */
export const addRecord = (
  { ecosystem, name, version }: PackageId,
  facts: RecordFacts,
  happening: Happening,
): Write => {
  const record = makeRecord(facts, happening);
  return putRecord({
    package_key: toPackageKey(ecosystem, name),
    // The version's revision is no key: it goes back after a restore, and old records must remain.
    decision_key: `${toRecordPrefix(ecosystem, version)}${record.moment}`,
    ...{ ecosystem, name, version },
    ...record,
  });
};

/**
 * Returns the write that adds a record of a vulnerability without a version. The record is stored with the package in
 * its scope, or else under the vulnerability id.
 */
export const addVulnerabilityRecord = (
  { ecosystem, name }: AcceptanceScope,
  facts: RecordFacts & Required<Pick<RecordFacts, 'vulnerability'>>,
  happening: Happening,
): Write => {
  const record = makeRecord(facts, happening);
  const scope = { ...(ecosystem && { ecosystem }), ...(name && { name }) };
  if (ecosystem && name) {
    // Sorts before the records of all versions, which do not begin with a blank.
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

/** Returns the write that adds a record of a license. */
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

/** Returns the write that adds a record of the registry itself. */
export const addRegistryRecord = (facts: RecordFacts, happening: Happening): Write => {
  const record = makeRecord(facts, happening);
  // No package's key begins so.
  return putRecord({ package_key: 'registry#', decision_key: record.moment, ...record });
};

/** Selects the records of all versions of a package, or of one version. */
interface RecordSelector {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version?: string | undefined;
}

/** Sorts after every moment. */
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

/** Returns the record of a version with this time and id; undefined if there is none. */
export const findRecord = (
  { ecosystem, name, version }: PackageId,
  { at, id }: Pick<RecordItem, 'at' | 'id'>,
): Promise<RecordItem | undefined> =>
  getItem(recordsTable, {
    package_key: toPackageKey(ecosystem, name),
    decision_key: `${toRecordPrefix(ecosystem, version)}${at} ${id}`,
  });

/** Returns up to `count` records, newest first; only those before a moment, if given. */
export const listRecords = async (
  selector: RecordSelector,
  { before = endOfTime, count }: { readonly before?: string | undefined; readonly count: number },
): Promise<RecordItem[]> => {
  const range = { ...selectRecords(selector, before), ScanIndexForward: false };
  // A key range includes its end, so one extra record is read.
  const records = await queryItems(recordsTable, range, count + 1);
  return records.filter(({ moment }) => moment !== before).slice(0, count);
};

/** Returns the record in an image of the table's stream (DynamoDB JSON); undefined for anything else. */
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
