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

/** Review file of a version, and the checkpoint of its listing. */
interface Kept {
  readonly file: ReviewFile | undefined;
  readonly told: IndexCheckpoint;
}

/** Checkpoint of a version, and the merged scan to list. */
export interface VersionListing {
  /** Checkpoint: the listed state. */
  readonly told: IndexCheckpoint;
  /** Merged scan to list; undefined if there is none. */
  readonly picture: StoredMergedScan | undefined;
  /** Expected index entries, by id in upper case. */
  readonly under: ReturnType<typeof listIndexed>;
  /** Ids whose entries differ between the checkpoint and the merged scan to list. */
  readonly changedIds: readonly string[];
}

const readKept = async (versionKey: string): Promise<Kept> => {
  const items = await readItemsOf(versionKey, lastCheckpointKey);
  return {
    file: toReviewFile(items.filter((item) => !isIndexed(item))),
    told: toIndexCheckpoint(items.filter(isIndexed)),
  };
};

/** Returns the merged scan to list; undefined if there is none, for example without a review file or version. */
const findPicture = async (
  versionKey: string,
  { file, told }: Kept,
): Promise<StoredMergedScan | undefined> => {
  if (!file) return undefined;
  // The key is normalized. Only the version has the submitted spelling, which never changes.
  const id = parseVersionKey(versionKey);
  if (!id) return undefined;
  const picture = makeMergedScan(told.picture?.version ?? id, file);
  if (picture.entries.length === 0 || told.picture) return picture;
  const version = await findVersion(id);
  return version && makeMergedScan(version, file);
};

/** Returns the listed state and the expected state of a version. */
export const readListing = async (versionKey: string): Promise<VersionListing> => {
  const kept = await readKept(versionKey);
  const { told } = kept;
  const picture = await findPicture(versionKey, kept);
  const under = listIndexed(versionKey, picture);
  const changedIds = findChangedIds(listIndexed(versionKey, told.picture), under);
  return { told, picture, under, changedIds };
};
