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
  readonly checkpoint: IndexCheckpoint;
}

/** Checkpoint of a version, and the merged scan to list. */
export interface VersionListing {
  /** Checkpoint: the listed state. */
  readonly checkpoint: IndexCheckpoint;
  /** Merged scan to list; undefined if there is none. */
  readonly mergedScan: StoredMergedScan | undefined;
  /** Expected index entries, by id in upper case. */
  readonly under: ReturnType<typeof listIndexed>;
  /** Ids whose entries differ between the checkpoint and the merged scan to list. */
  readonly changedIds: readonly string[];
}

const readKept = async (versionKey: string): Promise<Kept> => {
  const items = await readItemsOf(versionKey, lastCheckpointKey);
  return {
    file: toReviewFile(items.filter((item) => !isIndexed(item))),
    checkpoint: toIndexCheckpoint(items.filter(isIndexed)),
  };
};

/** Returns the merged scan to list; undefined if there is none, for example without a review file or version. */
const findMergedScan = async (
  versionKey: string,
  { file, checkpoint }: Kept,
): Promise<StoredMergedScan | undefined> => {
  if (!file) return undefined;
  // The key is normalized. Only the version has the submitted spelling, which never changes.
  const id = parseVersionKey(versionKey);
  if (!id) return undefined;
  const mergedScan = makeMergedScan(checkpoint.mergedScan?.version ?? id, file);
  if (mergedScan.entries.length === 0 || checkpoint.mergedScan) return mergedScan;
  const version = await findVersion(id);
  return version && makeMergedScan(version, file);
};

/** Returns the listed state and the expected state of a version. */
export const readListing = async (versionKey: string): Promise<VersionListing> => {
  const kept = await readKept(versionKey);
  const { checkpoint } = kept;
  const mergedScan = await findMergedScan(versionKey, kept);
  const under = listIndexed(versionKey, mergedScan);
  const changedIds = findChangedIds(listIndexed(versionKey, checkpoint.mergedScan), under);
  return { checkpoint, mergedScan, under, changedIds };
};
