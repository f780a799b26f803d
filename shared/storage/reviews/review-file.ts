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

/** What the scans in a slot found last. */
interface FindingsItem {
  readonly v: string;
  readonly k: string;
  readonly vulnerabilities: Uint8Array;
}

/** That an acceptance holds for a version. */
export interface MarkItem extends Acceptance {
  readonly v: string;
  readonly k: string;
}

const findingsTable = defineTable<FindingsItem>('reviews');
const marksTable = defineTable<MarkItem>('reviews');

/** Everything that is known of a version's vulnerabilities stands between these keys, and is read in one query. */
const markPrefix = 'mark#';
const slotPrefix = 'slot#';
const lastKey = 'slot~';

/** Whether what stands at a key may be there beside a head: none was ever scanned that has no scans. */
export const belongsToReviewState = (head: ReviewState, k: string): boolean =>
  !(k.startsWith(slotPrefix) && isUnscanned(head));

/** Whether what stands at a key tells of a version's vulnerabilities. */
export const isOfMergedScan = (k: string): boolean =>
  k.startsWith(markPrefix) || k.startsWith(slotPrefix);

const toFindingsKey = (id: PackageId, slotId: string) => ({
  v: toVersionKey(id),
  k: `${slotPrefix}${slotId}`,
});

const toMarkKey = (id: PackageId, { id: vulnerability, number }: Acceptance) => ({
  v: toVersionKey(id),
  k: `${markPrefix}${vulnerability}#${number}`,
});

/** All that is known of a version's vulnerabilities, and its head. */
export interface ReviewFile extends KnownVulnerabilities {
  readonly head: ReviewState;
}

/** An item of a version, before it is known of which kind. */
export interface KeyedItem {
  readonly k: string;
}

const itemsTable = defineTable<KeyedItem>('reviews');

/** All that is kept of a version from its head to a key, in the order of keys: one query. */
export const readItemsOf = (versionKey: string, last: string): Promise<KeyedItem[]> =>
  queryItems(itemsTable, {
    KeyConditionExpression: 'v = :version AND k BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':version': versionKey, ':first': reviewStateKey, ':last': last },
  });

const toAcceptance = ({ v: _, k: __, ...acceptance }: MarkItem): Acceptance => acceptance;

/** What there is of a version for reviews; the integrity check may find it without its head. */
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
    } else if (item.k.startsWith(slotPrefix)) {
      const { vulnerabilities } = typeItem(findingsTable, { ...item });
      const found = StoredVulnerabilities.parse(unpack(vulnerabilities));
      findings.set(item.k.slice(slotPrefix.length), found);
    }
  }
  return { head, findings, acceptances };
};

export const findReviewFile = async (id: PackageId): Promise<FoundFile> =>
  toFoundFile(await readItemsOf(toVersionKey(id), lastKey));

/** What the items of a version say of its vulnerabilities; undefined where its head is not there, or not whole. */
export const toReviewFile = (items: readonly KeyedItem[]): ReviewFile | undefined => {
  const { head, ...known } = toFoundFile(items);
  return head && isWhole(head) ? { head, sources: head.sources, ...known } : undefined;
};

/** @throws {ReviewStateMissingError} where its head is not there, or not whole */
export const readReviewFile = async (id: PackageId): Promise<ReviewFile> => {
  const file = toReviewFile(await readItemsOf(toVersionKey(id), lastKey));
  if (!file) throw new ReviewStateMissingError(id);
  return file;
};

/** Puts what a slot found last in place of what it had found. */
export const putFindings = (
  id: PackageId,
  slotId: string,
  vulnerabilities: readonly Vulnerability[],
): Write =>
  putItem(findingsTable, { ...toFindingsKey(id, slotId), vulnerabilities: pack(vulnerabilities) });

export const deleteFindings = (id: PackageId, slotId: string): Write =>
  deleteItem(findingsTable, toFindingsKey(id, slotId));

/** Has an acceptance hold for a version. */
export const putMark = (id: PackageId, acceptance: Acceptance): Write =>
  putItem(marksTable, { ...toMarkKey(id, acceptance), ...acceptance });

export const deleteMark = (id: PackageId, acceptance: Acceptance): Write =>
  deleteItem(marksTable, toMarkKey(id, acceptance));
