import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import { type ReviewFile, readItemsOf, toReviewFile } from '../reviews/review-file.ts';
import {
  type IndexCheckpoint,
  isIndexed,
  lastCheckpointKey,
  toIndexCheckpoint,
} from './index-checkpoint.ts';
import {
  findChangedIds,
  listIndexed,
  makeMergedScan,
  type StoredMergedScan,
} from './merged-scan-row.ts';

/** What is kept of a version, and what is listed of it. */
interface Kept {
  readonly file: ReviewFile | undefined;
  readonly told: IndexCheckpoint;
}

/** What is told of a version, and what is to be listed of it. */
export interface VersionListing {
  readonly told: IndexCheckpoint;
  readonly picture: StoredMergedScan | undefined;
  /** What is to stand under each id. */
  readonly under: ReturnType<typeof listIndexed>;
  /** The ids under which the two say different things. */
  readonly changedIds: readonly string[];
}

const readKept = async (versionKey: string): Promise<Kept> => {
  const items = await readItemsOf(versionKey, lastCheckpointKey);
  return {
    file: toReviewFile(items.filter((item) => !isIndexed(item))),
    told: toIndexCheckpoint(items.filter(isIndexed)),
  };
};

/** What is to be listed of a version; undefined where nothing is, as of one that is not there. */
const findPicture = async (
  versionKey: string,
  { file, told }: Kept,
): Promise<StoredMergedScan | undefined> => {
  if (!file) return undefined;
  // Keys make equal spellings equal: how it was submitted stands in the version alone, and never changes.
  const id = parseVersionKey(versionKey);
  if (!id) return undefined;
  const picture = makeMergedScan(told.picture?.version ?? id, file);
  if (picture.entries.length === 0 || told.picture) return picture;
  const version = await findVersion(id);
  return version && makeMergedScan(version, file);
};

export const readListing = async (versionKey: string): Promise<VersionListing> => {
  const kept = await readKept(versionKey);
  const { told } = kept;
  const picture = await findPicture(versionKey, kept);
  const under = listIndexed(versionKey, picture);
  const changedIds = findChangedIds(listIndexed(versionKey, told.picture), under);
  return { told, picture, under, changedIds };
};
