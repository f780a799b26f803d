/** Invokes a function with the records of a table's stream, like Lambda's event source mapping. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { ChangeSignal } from '../change-signal.ts';
import type { EngineAddress } from '../engine/address.ts';
import { checkStreamGrants } from '../iam/required-grants.ts';
import type { Queue } from '../sqs/message-queues.ts';
import type { EventSource, StackModel } from '../template/model.ts';
import { wait } from '../waiting.ts';
import { type Failure, makeFailureRecord } from './failure-record.ts';
import type { Positions } from './positions.ts';
import { readShard, type ShardOptions, skipShard } from './shard-reader.ts';
import type { RecordSource } from './stream-event.ts';
import { createStreamsApi, type StreamsApi } from './streams-api.ts';

export interface EventSourceOptions {
  readonly model: StackModel;
  readonly dynamodb: EngineAddress;
  readonly positions: Positions;
  readonly writes: ChangeSignal;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
  /** Called with problems that have no other receiver. */
  readonly onProblem: (id: string, line: string) => void;
}

export interface RunningEventSource {
  /** Stops immediately. Records in progress are delivered again at the next start. */
  close(): Promise<void>;
}

/** Pause after an error of the engine, in milliseconds. */
const errorPauseMs = 1000;

const giveUp = (
  shard: RecordSource,
  source: EventSource,
  { model, queues, onProblem }: EventSourceOptions,
) => {
  const { name = '' } = model.functions[source.functionId] ?? {};
  return (failure: Failure): void => {
    const { condition, records } = failure;
    onProblem(source.id, `${source.id} gave up ${records.length} records: ${condition}`);
    queues[source.onFailureQueueId ?? '']?.send(
      JSON.stringify(makeFailureRecord(shard, name, failure)),
    );
  };
};

/** Reads until the shard ends, and continues after errors of the engine. */
const keepReading = async (
  shard: ShardOptions,
  onProblem: EventSourceOptions['onProblem'],
): Promise<void> => {
  const { source, signal } = shard.delivery;
  while (!signal.aborted) {
    try {
      return await readShard(shard);
    } catch (error) {
      if (signal.aborted) return;
      onProblem(source.id, `${source.id} cannot read its stream: ${error}`);
      await wait(errorPauseMs, signal).catch(() => undefined);
    }
  }
};

interface Stream {
  readonly source: EventSource;
  readonly engineArn: string;
  readonly api: StreamsApi;
  readonly signal: AbortSignal;
}

const makeShardOptions = (
  stream: Stream,
  shardId: string,
  options: EventSourceOptions,
): ShardOptions => {
  const { source, engineArn, api, signal } = stream;
  const { model, positions, writes, invoke } = options;
  const shard = { tableName: model.tables[source.tableId]?.name ?? '', engineArn, shardId };
  const deliverTo = (Records: readonly DynamoDBRecord[]): Promise<unknown> =>
    invoke(source.functionId, { Records });
  const delivery = { source, invoke: deliverTo, giveUp: giveUp(shard, source, options), signal };
  return { shard, api, positions, writes, delivery };
};

/**
 * Saves the start position of a mapping with LATEST once. Otherwise a restart would skip the records since the first
 * start.
 */
const prepareStart = async (stream: Stream, options: EventSourceOptions): Promise<void> => {
  const { source, engineArn, api } = stream;
  const name = `${source.id} ${engineArn}`;
  if (options.positions.get(name) !== undefined) return;
  if (source.startingPosition === 'LATEST') {
    for (const { ShardId } of await api.listShards(engineArn)) {
      await skipShard(makeShardOptions(stream, ShardId, options));
    }
  }
  options.positions.set(name, source.startingPosition);
};

/**
 * Starts to read the stream. Each shard is read after its parent; unrelated shards are read in parallel.
 * @throws {StartError} if the function's role does not allow it
 */
export const startEventSource = async (
  source: EventSource,
  options: EventSourceOptions,
): Promise<RunningEventSource> => {
  checkStreamGrants(options.model, source);
  const stopping = new AbortController();
  const { signal } = stopping;
  const api = createStreamsApi(options.dynamodb);
  const engineArn = await api.findStream(options.model.tables[source.tableId]?.name ?? '');
  const stream = { source, engineArn, api, signal };
  await prepareStart(stream, options);

  const readers = new Map<string, Promise<void>>();
  const discover = async (): Promise<void> => {
    if (signal.aborted) return;
    for (const { ShardId, ParentShardId = '' } of await api.listShards(engineArn)) {
      if (readers.has(ShardId)) continue;
      const shard = makeShardOptions(stream, ShardId, options);
      const parent = readers.get(ParentShardId) ?? Promise.resolve();
      const reading = parent.then(() => keepReading(shard, options.onProblem)).then(discover);
      readers.set(
        ShardId,
        reading.catch(() => undefined),
      );
    }
  };
  await discover();
  return {
    close: async () => {
      stopping.abort();
      await Promise.all(readers.values());
    },
  };
};
