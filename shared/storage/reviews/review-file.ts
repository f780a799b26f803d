import { StoredVulnerabilities } from '../../api/schemas/scan.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Acceptance } from '../../domain/vulnerabilities/acceptance.ts';
import type { KnownVulnerabilities } from '../../domain/vulnerabilities/scan-summary.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import {
  isUnscanned,
  isWhole,
  type ReviewState,
  ReviewStateMissingError,
  reviewStateKey,
  reviewStatesTable,
} from './review-state.ts';

/** Latest findings of a scan source. */
interface FindingsItem {
  readonly v: string;
  readonly k: string;
  readonly vulnerabilities: Uint8Array;
}

/** Risk acceptance that applies to a version. */
export interface MarkItem extends Acceptance {
  readonly v: string;
  readonly k: string;
}

const findingsTable = defineTable<FindingsItem>('reviews');
const marksTable = defineTable<MarkItem>('reviews');

/** Key prefixes of a version's vulnerability items. All sort up to `lastKey`, so one query reads them. */
const markPrefix = 'mark#';
const findingsPrefix = 'scan#';
const lastKey = 'scan~';

/** True if an item with this key may exist beside a review state. A version without scans must have no findings. */
export const belongsToReviewState = (head: ReviewState, k: string): boolean =>
  !(k.startsWith(findingsPrefix) && isUnscanned(head));

/** True if the key belongs to findings or to a risk acceptance. */
export const isOfMergedScan = (k: string): boolean =>
  k.startsWith(markPrefix) || k.startsWith(findingsPrefix);

const toFindingsKey = (id: PackageId, sourceId: string) => ({
  v: toVersionKey(id),
  k: `${findingsPrefix}${sourceId}`,
});

const toMarkKey = (id: PackageId, { id: vulnerability, number }: Acceptance) => ({
  v: toVersionKey(id),
  k: `${markPrefix}${vulnerability}#${number}`,
});

/** Findings and risk acceptances of a version, with its review state. */
export interface ReviewFile extends KnownVulnerabilities {
  readonly head: ReviewState;
}

/** Item of a version whose kind is not yet known. */
export interface KeyedItem {
  readonly k: string;
}

const itemsTable = defineTable<KeyedItem>('reviews');

/** Returns a version's items from its review state to a key, in key order. Makes one query. */
export const readItemsOf = (versionKey: string, last: string): Promise<KeyedItem[]> =>
  queryItems(itemsTable, {
    KeyConditionExpression: 'v = :version AND k BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':version': versionKey, ':first': reviewStateKey, ':last': last },
  });

const toAcceptance = ({ v: _, k: __, ...acceptance }: MarkItem): Acceptance => acceptance;

/** Stored review items of a version. The integrity check may find them without a review state. */
export type FoundFile = Pick<KnownVulnerabilities, 'findings' | 'acceptances'> & {
  readonly head: ReviewState | undefined;
};

const toFoundFile = (items: readonly KeyedItem[]): FoundFile => {
  let head: ReviewState | undefined;
  const findings = new Map<string, readonly Vulnerability[]>();
  const acceptances: Acceptance[] = [];
  for (const item of items) {
    if (item.k === reviewStateKey) head = typeItem(reviewStatesTable, { ...item });
    else if (item.k.startsWith(markPrefix)) {
      acceptances.push(toAcceptance(typeItem(marksTable, { ...item })));
    } else if (item.k.startsWith(findingsPrefix)) {
      const { vulnerabilities } = typeItem(findingsTable, { ...item });
      const found = StoredVulnerabilities.parse(unpack(vulnerabilities));
      findings.set(item.k.slice(findingsPrefix.length), found);
    }
  }
  return { head, findings, acceptances };
};

export const findReviewFile = async (id: PackageId): Promise<FoundFile> =>
  toFoundFile(await readItemsOf(toVersionKey(id), lastKey));

/** Returns the review file of a version from its items; undefined if its review state is missing or damaged. */
export const toReviewFile = (items: readonly KeyedItem[]): ReviewFile | undefined => {
  const { head, ...known } = toFoundFile(items);
  return head && isWhole(head) ? { head, sources: head.sources, ...known } : undefined;
};

/**
 * Returns the review file of a version.
 * @throws {ReviewStateMissingError} if the review state is missing or damaged
 */
export const readReviewFile = async (id: PackageId): Promise<ReviewFile> => {
  const file = toReviewFile(await readItemsOf(toVersionKey(id), lastKey));
  if (!file) throw new ReviewStateMissingError(id);
  return file;
};

/** Returns the write that replaces the latest findings of a scan source. */
export const putFindings = (
  id: PackageId,
  sourceId: string,
  vulnerabilities: readonly Vulnerability[],
): Write =>
  putItem(findingsTable, {
    ...toFindingsKey(id, sourceId),
    vulnerabilities: pack(vulnerabilities),
  });

export const deleteFindings = (id: PackageId, sourceId: string): Write =>
  deleteItem(findingsTable, toFindingsKey(id, sourceId));

/** Returns the write that applies a risk acceptance to a version. */
export const putMark = (id: PackageId, acceptance: Acceptance): Write =>
  putItem(marksTable, { ...toMarkKey(id, acceptance), ...acceptance });

export const deleteMark = (id: PackageId, acceptance: Acceptance): Write =>
  deleteItem(marksTable, toMarkKey(id, acceptance));
