import { isDeepStrictEqual } from 'node:util';
import { ReviewStateStream } from '../../shared/platform/worker/events/head-stream.ts';
import { reviewStateKey } from '../../shared/storage/reviews/review-state.ts';
import type { TestEngine } from './engine.ts';

type HeadRecord = ReviewStateStream['Records'][number];

const isOfReviewState = ({ k }: Readonly<Record<string, unknown>>): boolean =>
  isDeepStrictEqual(k, { S: reviewStateKey });

const pageSize = 1000;

/**
 * Reads the stream of review states, which the workers receive. Each call resolves to the changes since the last call, in the
 * order of the writes.
 */
export const openReviewStream = async ({ streams }: TestEngine) => {
  const arn = await streams.findStream('reviews');
  const shards = await streams.listShards(arn);
  const positions = await Promise.all(shards.map(({ ShardId }) => streams.iterator(arn, ShardId)));
  return async (): Promise<HeadRecord[]> => {
    const found: HeadRecord[] = [];
    for (const [at, position] of positions.entries()) {
      const { Records, NextShardIterator } = await streams.records(position, pageSize);
      const heads = Records.filter(({ dynamodb: { Keys } }) => isOfReviewState(Keys));
      found.push(...ReviewStateStream.parse({ Records: heads }).Records);
      positions[at] = NextShardIterator ?? position;
    }
    return found;
  };
};
