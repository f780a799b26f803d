import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** That a version is still to be listed under some ids of what it has: too many to be done when that became known. */
export interface ListingDue {
  readonly v: string;
  readonly k: string;
  readonly kind: 'listing';
  /** When it was last gone on with, ISO 8601 in UTC: who has waited longest is next. */
  readonly due_at: string;
  readonly version_key: string;
}

export const listingDueTable = defineTable<ListingDue>('reviews');

/** Apart, so that who lists the approvals that run out never reads these. */
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

/** Puts the row of a version to another time, or takes it away where none is given. */
export const moveListingDue = (
  versionKey: string,
  before: string | null,
  after: string | null,
): Write[] => [
  // A transaction names an item once.
  ...(before !== null && before !== after ? [deleteListingDue(versionKey, before)] : []),
  ...(after !== null ? [putItem(listingDueTable, makeRow(versionKey, after))] : []),
];
