/** Reads one shard to its end, and delivers its records in order. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { ChangeSignal } from '../change-signal.ts';
import { matches } from '../template/event-pattern.ts';
import type { EventSource } from '../template/model.ts';
import { splitIntoBatches, splitIntoLanes } from './batches.ts';
import { type DeliveryOptions, deliver } from './delivery.ts';
import type { Positions } from './positions.ts';
import { makeLambdaRecord, type RecordSource } from './stream-event.ts';
import type { StreamsApi } from './streams-api.ts';

export interface ShardOptions {
  readonly shard: RecordSource;
  readonly api: StreamsApi;
  readonly positions: Positions;
  readonly writes: ChangeSignal;
  readonly delivery: DeliveryOptions;
}

/** Poll interval of a stream without a change signal, in milliseconds. Direct writes to the engine raise no signal. */
const idleMs = 250;

/** Most records in one response of the API. */
const maxPage = 1000;

/** Records from one or more reads of a shard. */
interface Gathered {
  readonly records: readonly DynamoDBRecord[];
  /** Sequence number of the last record, including records that the filters exclude. */
  readonly last: string | undefined;
  /** Next iterator. Absent at the end of the shard. */
  readonly next: string | undefined;
}

/** Returns the key of a position. The engine's ARN distinguishes a table from a deleted table with the same name. */
const namePosition = ({ id }: EventSource, { engineArn, shardId }: RecordSource): string =>
  `${id} ${engineArn} ${shardId}`;

const passes = ({ filters }: EventSource, record: DynamoDBRecord): boolean =>
  filters.length === 0 || filters.some((filter) => matches(filter, record));

/** Waits for records that pass the filters, and then for more records during the batching window. */
const gather = async (iterator: string, options: ShardOptions): Promise<Gathered> => {
  const { shard, api, writes, delivery } = options;
  const { source, signal } = delivery;
  const wanted = source.batchSize * source.parallelizationFactor;
  const records: DynamoDBRecord[] = [];
  let last: string | undefined;
  let windowEnd: number | undefined;
  for (let next: string | undefined = iterator; ; ) {
    signal.throwIfAborted();
    const count = writes.count();
    // Filters exclude most records, and each read costs the engine more than its records.
    const page = await api.records(next, maxPage);
    const read = page.Records.map((record) => makeLambdaRecord(shard, record));
    records.push(...read.filter((record) => passes(source, record)));
    last = page.Records.at(-1)?.dynamodb.SequenceNumber ?? last;
    next = page.NextShardIterator;
    if (records.length > 0) windowEnd ??= Date.now() + source.batchingWindowSeconds * 1000;
    const left = windowEnd === undefined ? idleMs : windowEnd - Date.now();
    const isFull = records.length >= wanted || left <= 0;
    // Excluded records count as processed, too.
    const isFilteredOut = last !== undefined && records.length === 0;
    if (next === undefined || isFull || isFilteredOut) return { records, last, next };
    if (read.length === 0) await writes.wait(count, Math.min(idleMs, left), signal);
  }
};

/**
 * Resolves when the shard is closed and all its records are processed. The next records are read after all lanes have
 * finished, so that one position covers all lanes.
 */
export const readShard = async (options: ShardOptions): Promise<void> => {
  const { shard, api, positions, delivery } = options;
  const { source } = delivery;
  const name = namePosition(source, shard);
  const { engineArn, shardId } = shard;
  let next: string | undefined = await api.iterator(
    engineArn,
    shardId,
    positions.get(name) || undefined,
  );
  while (next !== undefined) {
    const gathered = await gather(next, options);
    await Promise.all(
      splitIntoLanes(gathered.records, source).map(async (lane) => {
        for (const batch of splitIntoBatches(lane, source.batchSize)) {
          await deliver(batch, delivery);
        }
      }),
    );
    if (gathered.last !== undefined) positions.set(name, gathered.last);
    next = gathered.next;
  }
};

/** Saves the current end of a shard as its start position. */
export const skipShard = async ({
  shard,
  api,
  positions,
  delivery,
}: ShardOptions): Promise<void> => {
  const { engineArn, shardId } = shard;
  let last = '';
  let next: string | undefined = await api.iterator(engineArn, shardId);
  while (next !== undefined) {
    const page = await api.records(next, maxPage);
    last = page.Records.at(-1)?.dynamodb.SequenceNumber ?? last;
    next = page.Records.length === 0 ? undefined : page.NextShardIterator;
  }
  positions.set(namePosition(delivery.source, shard), last);
};
