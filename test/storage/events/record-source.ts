import type { RecordStream } from '../../../shared/platform/worker/events/record-stream.ts';
import { type RecordItem, readRecordImage } from '../../../shared/storage/decisions/records.ts';
import type { TestEngine } from '../../support/engine.ts';

type StreamRecord = RecordStream['Records'][number];

/** A record as the stream has it: for the sequencer, and read. */
export interface Committed {
  readonly streamed: StreamRecord;
  readonly record: RecordItem;
}

const pageSize = 1000;

const read = (streamed: StreamRecord): Committed => {
  const record = readRecordImage(streamed.dynamodb.NewImage);
  if (!record) throw new Error('The stream has something that is no record');
  return { streamed, record };
};

/** Reads the stream of the records. Each call resolves to those that came since the last one, in the order of commits. */
export const openRecordSource = async ({ streams }: TestEngine) => {
  const arn = await streams.findStream('decisions');
  const shards = await streams.listShards(arn);
  const positions = await Promise.all(shards.map(({ ShardId }) => streams.iterator(arn, ShardId)));
  return async (): Promise<Committed[]> => {
    const found: Committed[] = [];
    for (const [at, position] of positions.entries()) {
      const { Records, NextShardIterator } = await streams.records(position, pageSize);
      found.push(...Records.map(read));
      positions[at] = NextShardIterator ?? position;
    }
    return found;
  };
};
