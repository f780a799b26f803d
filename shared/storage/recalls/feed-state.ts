import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Change of a record in a malware feed. */
export interface RecordChange {
  readonly id: string;
  /** Time of the change in the feed, ISO 8601. */
  readonly listedAt: string;
}

/** Record that named pending versions when it was handled. It recalls those that are approved later. */
export interface WatchedRecord extends RecordChange {
  /** Time when the record was handled first, ISO 8601. */
  readonly since: string;
}

/** Progress in a malware feed. */
export interface FeedState<Position> {
  /** Position after the last run; undefined before the first. */
  readonly position: Position | undefined;
  /** Changes that a run could not handle. The next run tries them again. */
  readonly retries: readonly RecordChange[];
  /** Records that each run handles again, since no scan of a pending version that they name has reported them yet. */
  readonly watched: readonly WatchedRecord[];
}

interface FeedStateItem extends FeedState<unknown> {
  readonly v: string;
  readonly k: Ecosystem;
}

const feedStatesTable = defineTable<FeedStateItem>('reviews');

/** Returns the key of an ecosystem's item. No version key begins with `#`. */
const toKey = (ecosystem: Ecosystem) => ({ v: '#malware-feed', k: ecosystem });

/** Returns the progress in the feed of an ecosystem. */
export const readFeedState = async <Position>(
  ecosystem: Ecosystem,
): Promise<FeedState<Position>> => {
  const stored = await getItem(feedStatesTable, toKey(ecosystem));
  if (!stored) return { position: undefined, retries: [], watched: [] };
  const { retries, watched } = stored;
  return { position: stored.position as Position, retries, watched };
};

/** Saves the progress in the feed of an ecosystem. */
export const saveFeedState = (ecosystem: Ecosystem, state: FeedState<unknown>): Promise<void> =>
  putAlone(putItem(feedStatesTable, { ...toKey(ecosystem), ...state }));
