import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** Due listing of a version under its vulnerability ids, because the version has too many for one write. */
export interface ListingDue {
  readonly v: string;
  readonly k: string;
  readonly kind: 'listing';
  /** Time of the last progress, ISO 8601 in UTC. The row with the longest wait is next. */
  readonly due_at: string;
  readonly version_key: string;
}

export const listingDueTable = defineTable<ListingDue>('reviews');

/** Separate partition, so that lists of expiring approvals never read these rows. */
export const listingDuePartition = '#due-listings';

const makeRow = (versionKey: string, due_at: string): ListingDue => ({
  v: listingDuePartition,
  k: `${due_at}#listing#${versionKey}`,
  ...{ kind: 'listing', due_at, version_key: versionKey },
});

export const toListingDueKey = (versionKey: string, dueAt: string) => {
  const { v, k } = makeRow(versionKey, dueAt);
  return { v, k };
};

export const deleteListingDue = (versionKey: string, dueAt: string): Write =>
  deleteItem(listingDueTable, toListingDueKey(versionKey, dueAt));

/** Returns the writes that move the row of a version to another time, or delete it if `after` is null. */
export const moveListingDue = (
  versionKey: string,
  before: string | null,
  after: string | null,
): Write[] => [
  // A transaction may contain an item only once.
  ...(before !== null && before !== after ? [deleteListingDue(versionKey, before)] : []),
  ...(after !== null ? [putItem(listingDueTable, makeRow(versionKey, after))] : []),
];
