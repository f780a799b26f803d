import { batchGet, getItem } from '../dynamodb/read.ts';
import { type ListingDue, listingDueTable, toListingDueKey } from '../reviews/listing-due.ts';
import { affectedTable, isSameRow } from './affected.ts';
import type { IndexCheckpoint } from './index-checkpoint.ts';
import type { listIndexed } from './merged-scan-row.ts';
import { readListing } from './read-listing.ts';
import { toAffectedKey } from './vulnerability-keys.ts';

/** What is to stand under each id, of a version as it is now. */
export const expectIndexed = async (versionKey: string): Promise<ReturnType<typeof listIndexed>> =>
  (await readListing(versionKey)).under;

/** The ids that the clock goes on with: what stands there may be late, and is put right. */
const findLeft = async (
  versionKey: string,
  { dueAt, openIds }: IndexCheckpoint,
): Promise<ReadonlySet<string>> => {
  const key = dueAt !== null && toListingDueKey(versionKey, dueAt);
  return new Set(key && (await getItem(listingDueTable, key)) ? openIds : []);
};

/** The ids under which a version is not listed as it must be, or may not be, and is not going to be by itself. */
export const findMislisted = async (versionKey: string): Promise<string[]> => {
  const { told, under, changedIds } = await readListing(versionKey);
  const keys = [...under].map(([id]) => toAffectedKey(id, versionKey));
  const stored = new Map((await batchGet(affectedTable, keys)).map((row) => [row.v, row]));
  const wrong = [...under]
    .filter(([, { row }]) => !isSameRow(stored.get(row.v), { ...row, claim: 0 }))
    .map(([id]) => id);
  const left = await findLeft(versionKey, told);
  return [...new Set([...told.openIds, ...changedIds, ...wrong])].filter((id) => !left.has(id));
};

/** The ids under which a version may stand: it has them, or is going to be taken away from there by itself. */
export const findRightIds = async (versionKey: string): Promise<ReadonlySet<string>> => {
  const { told, under } = await readListing(versionKey);
  return new Set([...under.keys(), ...(await findLeft(versionKey, told))]);
};

/** Whether the clock goes on with a version by this row. */
export const isDueRightly = async ({ version_key, due_at }: ListingDue): Promise<boolean> =>
  (await readListing(version_key)).told.dueAt === due_at;
