import type { Deadline } from '../../deadline.ts';
import type { PackageId } from '../../domain/package-id.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import { batchGet } from '../read.ts';
import { type ReviewFile, readItemsOf, toReviewFile } from '../reviews/review-file.ts';
import { affectedTable, isSameRow } from './affected.ts';
import { toAffectedKey } from './keys.ts';
import { listUnderIds } from './list-under-ids.ts';
import { findChangedIds, listTold, makePicture, type ToldPicture } from './picture.ts';
import {
  ClaimLostError,
  checkClaim,
  claimTold,
  isTold,
  lastToldKey,
  type Told,
  toTold,
} from './told.ts';

const tries = 5;

/** What is kept of a version, and what is listed of it. */
interface Kept {
  readonly file: ReviewFile | undefined;
  readonly told: Told;
}

const readKept = async (versionKey: string): Promise<Kept> => {
  const items = await readItemsOf(versionKey, lastToldKey);
  return {
    file: toReviewFile(items.filter((item) => !isTold(item))),
    told: toTold(items.filter(isTold)),
  };
};

/** What is to be listed of a version; undefined where nothing is, as of one that is not there. */
const findPicture = async (
  versionKey: string,
  { file, told }: Kept,
): Promise<ToldPicture | undefined> => {
  if (!file) return undefined;
  // Keys make equal spellings equal: how it was submitted stands in the version alone, and never changes.
  const id = parseVersionKey(versionKey);
  if (!id) return undefined;
  const picture = makePicture(told.picture?.version ?? id, file);
  if (picture.entries.length === 0 || told.picture) return picture;
  const version = await findVersion(id);
  return version && makePicture(version, file);
};

/** The ids under which something else stands than must, as far as what was told says. */
const findIds = (
  versionKey: string,
  told: Told,
  picture: ToldPicture | undefined,
): readonly string[] => {
  const changed = findChangedIds(listTold(versionKey, told.picture), listTold(versionKey, picture));
  return [...new Set([...told.openIds, ...changed])];
};

/** What is told of a version, and what is to be listed of it. */
const readListing = async (versionKey: string) => {
  const kept = await readKept(versionKey);
  return { told: kept.told, picture: await findPicture(versionKey, kept) };
};

/** What is to stand under each id, of a version as it is now. */
export const expectTold = async (versionKey: string): Promise<ReturnType<typeof listTold>> =>
  listTold(versionKey, (await readListing(versionKey)).picture);

/** The ids under which a version is not listed as it must be, or may not be. */
export const findMislisted = async (versionKey: string): Promise<string[]> => {
  const { told, picture } = await readListing(versionKey);
  const under = listTold(versionKey, picture);
  const keys = [...under].map(([id]) => toAffectedKey(id, versionKey));
  const stored = new Map((await batchGet(affectedTable, keys)).map((row) => [row.v, row]));
  const wrong = [...under]
    .filter(([, { row }]) => !isSameRow(stored.get(row.v), { ...row, claim: 0 }))
    .map(([id]) => id);
  return [...new Set([...findIds(versionKey, told, picture), ...wrong])];
};

interface ListingOptions {
  /** What to look at besides that which changed. */
  readonly alsoIds?: readonly string[];
  /** What follows where a version is listed under ids: done before that counts as listed, or else again. */
  readonly follow?: (id: PackageId, ids: readonly string[]) => Promise<void>;
}

const listOnce = async (
  versionKey: string,
  deadline: Deadline,
  { alsoIds = [], follow }: ListingOptions,
): Promise<void> => {
  const { told: before, picture } = await readListing(versionKey);
  const ids = [...new Set([...findIds(versionKey, before, picture), ...alsoIds])];
  // Where parts are missing the claim tells whether another worker came meanwhile; else they are lost, and put anew.
  if (ids.length === 0 && before.isWhole) return;
  const claimed = await claimTold(versionKey, before, { picture, ids }, deadline);
  const under = listTold(versionKey, picture);
  const listings = ids.map((id) => {
    const found = under.get(id);
    const row = found && { ...found.row, claim: claimed.claim };
    return { id, versionKey, told: row && { telling: found.telling, row } };
  });
  await listUnderIds(listings, { check: checkClaim(claimed), deadline });
  if (picture && follow)
    await follow(
      picture.version,
      ids.filter((id) => under.has(id)),
    );
  await claimed.close(deadline);
};

/**
 * Lists a version under every id of what it has, and no other. What is listed already costs one query. It may end
 * anywhere and be begun again, by several workers at once.
 */
export const listVersion = async (
  versionKey: string,
  deadline: Deadline,
  options: ListingOptions = {},
): Promise<void> => {
  for (let earlier = 0; ; earlier += 1) {
    try {
      return await listOnce(versionKey, deadline, options);
    } catch (error) {
      // Another worker claimed the version by an earlier picture, or by this one and may fail.
      if (!(error instanceof ClaimLostError) || earlier === tries) throw error;
    }
  }
};
