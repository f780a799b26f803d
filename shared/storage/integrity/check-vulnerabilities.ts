import { getItem } from '../dynamodb/read.ts';
import { type ItemKey, typeItem } from '../dynamodb/table.ts';
import { type ListingDue, listingDuePartition, listingDueTable } from '../reviews/listing-due.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import { affectedTable } from '../vulnerabilities/affected.ts';
import { findMislisted, findRightIds, isDueRightly } from '../vulnerabilities/find-mislisted.ts';
import { checkpointKey } from '../vulnerabilities/index-checkpoint.ts';
import { dropStrayListing, listVersion } from '../vulnerabilities/list-version.ts';
import { listPartitions } from '../vulnerabilities/listed.ts';
import { requestAcceptances } from '../vulnerabilities/request-acceptances.ts';
import {
  beforeVersions,
  readPartition,
  vulnerabilityPrefix,
} from '../vulnerabilities/vulnerability-keys.ts';
import { checkCounter, checkListed } from './check-vulnerability.ts';
import type { Check } from './judge-checks.ts';
import type { CheckContext } from './tally.ts';

/** An item of the reviews, as far as it tells what a version is to be listed under. */
export interface ListingItem {
  readonly v: string;
  readonly k: string;
  /** Of a head. */
  readonly sources?: unknown;
  readonly pinned?: string | null;
}

/** Whether a version stands under every id of what it has, or is going to by itself. */
const checkVersion = ({ v }: ListingItem, context: CheckContext): Check => ({
  kind: 'wrong_listing',
  example: v,
  isRight: async () => (await findMislisted(v)).length === 0,
  mend: async () => {
    await listVersion(v, context.deadline, {
      alsoIds: await findMislisted(v),
      follow: (id, ids) => requestAcceptances(id, ids, context),
    });
    return true;
  },
});

/** The context of one page of items. */
interface PageContext extends CheckContext {
  /** The ids under which a version may stand, as they were when the page was begun with. */
  readonly recall: (versionKey: string) => Promise<ReadonlySet<string>>;
}

/** Reads what versions have once for all their rows in a page: one may have very many. */
const createRecall = (): PageContext['recall'] => {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return (versionKey) => {
    const ids = known.get(versionKey) ?? findRightIds(versionKey);
    known.set(versionKey, ids);
    return ids;
  };
};

/** Whether the version of a row has what it stands under. */
const checkRow = ({ v, k }: ListingItem, { deadline, recall }: PageContext): Check => {
  const id = readPartition(v);
  return {
    kind: 'orphaned_listing',
    example: `${id} ${k}`,
    isRight: async () =>
      (await recall(k)).has(id) ||
      (await findRightIds(k)).has(id) ||
      (await getItem(affectedTable, { v, k })) === undefined,
    mend: async () => {
      await listVersion(k, deadline, { alsoIds: [id] });
      return true;
    },
  };
};

/** Whether the clock goes on with a version by this row; it takes others away by itself, as long as it runs. */
const checkDue = (row: ListingDue, { deadline }: CheckContext): Check => {
  const { v, k } = row;
  return {
    kind: 'orphaned_due_row',
    example: `${v} ${k}`,
    isRight: async () =>
      (await isDueRightly(row)) || (await getItem(listingDueTable, { v, k })) === undefined,
    mend: async () => {
      await dropStrayListing(row, deadline);
      return true;
    },
  };
};

/** Whether it is of a version that may have something to be listed under: most were never scanned, or not yet. */
const isScanned = ({ k, sources }: ListingItem): boolean =>
  k === reviewStateKey && !(Array.isArray(sources) && sources.length === 0);

/** The items by which versions are looked at, each by one: its head, or what was listed of it. */
const findVersionItems = (items: readonly ListingItem[]): Set<ListingItem> => {
  const heads = items.filter(isScanned);
  const seen = new Set(heads.map(({ v }) => v));
  return new Set([...heads, ...items.filter(({ v, k }) => k === checkpointKey && !seen.has(v))]);
};

/** What is to be looked at because of an item of another kind, which follows another one. */
const toChecks = (item: ListingItem, before: string | undefined, context: PageContext): Check[] => {
  if (listPartitions.includes(item.v)) return [checkListed(item, context)];
  if (item.v === listingDuePartition) {
    return [checkDue(typeItem(listingDueTable, { ...item }), context)];
  }
  if (!item.v.startsWith(vulnerabilityPrefix)) return [];
  return [
    // Where there are versions and nothing is counted, the first of them tells of it.
    ...(item.v === before ? [] : [checkCounter(readPartition(item.v), context)]),
    ...(item.k > beforeVersions ? [checkRow(item, context)] : []),
  ];
};

/**
 * What is to be looked at because of some items, which come after the item of a key: whether each version is listed under
 * the vulnerabilities that it has and under no other, whether what is counted and shown of each vulnerability follows from
 * the versions, and whether the clock has something to go on with where it is told so.
 */
export const listVulnerabilityChecks = (
  items: readonly ListingItem[],
  after: ItemKey | undefined,
  given: CheckContext,
): Check[] => {
  const context = { ...given, recall: createRecall() };
  const versionItems = findVersionItems(items);
  return items.flatMap((item, at) =>
    versionItems.has(item)
      ? [checkVersion(item, context)]
      : toChecks(item, at === 0 ? after?.['v'] : items[at - 1]?.v, context),
  );
};
