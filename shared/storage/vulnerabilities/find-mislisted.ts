import { batchGet, getItem } from '../dynamodb/read.ts';
import { type ListingDue, listingDueTable, toListingDueKey } from '../reviews/listing-due.ts';
import { affectedTable, isSameRow } from './affected.ts';
import type { IndexCheckpoint } from './index-checkpoint.ts';
import type { listIndexed } from './merged-scan-row.ts';
import { readListing } from './read-listing.ts';
import { toAffectedKey } from './vulnerability-keys.ts';

/** Returns the expected index entries of a version, by id in upper case. */
export const expectIndexed = async (versionKey: string): Promise<ReturnType<typeof listIndexed>> =>
  (await readListing(versionKey)).under;

/** Returns the ids that due work continues with. Their rows may be late, and due work corrects them. */
const findLeft = async (
  versionKey: string,
  { dueAt, openIds }: IndexCheckpoint,
): Promise<ReadonlySet<string>> => {
  const key = dueAt !== null && toListingDueKey(versionKey, dueAt);
  return new Set(key && (await getItem(listingDueTable, key)) ? openIds : []);
};

/** Returns the ids under which a version is or may be listed wrongly, and which no due work corrects. */
export const findMislisted = async (versionKey: string): Promise<string[]> => {
  const { checkpoint, under, changedIds } = await readListing(versionKey);
  const keys = [...under].map(([id]) => toAffectedKey(id, versionKey));
  const stored = new Map((await batchGet(affectedTable, keys)).map((row) => [row.v, row]));
  const wrong = [...under]
    .filter(([, { row }]) => !isSameRow(stored.get(row.v), { ...row, leaseNumber: 0 }))
    .map(([id]) => id);
  const left = await findLeft(versionKey, checkpoint);
  return [...new Set([...checkpoint.openIds, ...changedIds, ...wrong])].filter(
    (id) => !left.has(id),
  );
};

/** Returns the ids under which a version may have rows: its own ids, and those that due work continues with. */
export const findRightIds = async (versionKey: string): Promise<ReadonlySet<string>> => {
  const { checkpoint, under } = await readListing(versionKey);
  return new Set([...under.keys(), ...(await findLeft(versionKey, checkpoint))]);
};

/** True if due work continues the listing of a version by this row. */
export const isDueRightly = async ({ version_key, due_at }: ListingDue): Promise<boolean> =>
  (await readListing(version_key)).checkpoint.dueAt === due_at;
