import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import { type ReviewFile, readItemsOf, toReviewFile } from '../reviews/review-file.ts';
import { isTold, lastToldKey, type Told, toTold } from './index-checkpoint.ts';
import { findChangedIds, listTold, makePicture, type ToldPicture } from './merged-scan-row.ts';

/** What is kept of a version, and what is listed of it. */
interface Kept {
  readonly file: ReviewFile | undefined;
  readonly told: Told;
}

/** What is told of a version, and what is to be listed of it. */
export interface VersionListing {
  readonly told: Told;
  readonly picture: ToldPicture | undefined;
  /** What is to stand under each id. */
  readonly under: ReturnType<typeof listTold>;
  /** The ids under which the two say different things. */
  readonly changedIds: readonly string[];
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

export const readListing = async (versionKey: string): Promise<VersionListing> => {
  const kept = await readKept(versionKey);
  const { told } = kept;
  const picture = await findPicture(versionKey, kept);
  const under = listTold(versionKey, picture);
  const changedIds = findChangedIds(listTold(versionKey, told.picture), under);
  return { told, picture, under, changedIds };
};
