/**
 * Client of the engine's DynamoDB Streams API. Records keep their JSON form, which Lambda's events also use; the SDK would
 * convert it. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
 */
import * as z from 'zod';
import type { EngineAddress } from '../engine/address.ts';
import { region } from '../template/names.ts';

const attributes = z.record(z.string(), z.unknown());

const recordSchema = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  eventVersion: z.string().default('1.1'),
  userIdentity: z.unknown().optional(),
  dynamodb: z.object({
    /** Epoch seconds. */
    ApproximateCreationDateTime: z.number(),
    Keys: attributes,
    NewImage: attributes.optional(),
    OldImage: attributes.optional(),
    SequenceNumber: z.string(),
    SizeBytes: z.number().optional(),
    StreamViewType: z.string(),
  }),
});

const pageSchema = z.object({
  Records: z.array(recordSchema),
  /** Next iterator. Absent at the end of a closed shard. */
  NextShardIterator: z.string().optional(),
});

const shardSchema = z.object({ ShardId: z.string(), ParentShardId: z.string().optional() });

const streamsSchema = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })) });

const descriptionSchema = z.object({
  StreamDescription: z.object({
    Shards: z.array(shardSchema),
    LastEvaluatedShardId: z.string().optional(),
  }),
});

const iteratorSchema = z.object({ ShardIterator: z.string() });

export type StreamRecord = z.output<typeof recordSchema>;
export type RecordPage = z.output<typeof pageSchema>;
export type Shard = z.output<typeof shardSchema>;

export interface StreamsApi {
  /** Resolves to the ARN of the table's current stream. Its label changes with each creation of the table. */
  findStream(tableName: string): Promise<string>;
  /** Resolves to the shards, the oldest first. */
  listShards(streamArn: string): Promise<readonly Shard[]>;
  /** Resolves to an iterator after the record with the sequence number `after`. Absent: from the oldest record. */
  iterator(streamArn: string, shardId: string, after?: string): Promise<string>;
  /** Resolves to one page of records. @param limit at most 1000 */
  records(iterator: string, limit: number): Promise<RecordPage>;
}

/** Returns request headers with a placeholder signature, which engines require but do not check. */
const makeHeaders = (accessKeyId: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
});

export const createStreamsApi = ({ endpoint, accessKeyId }: EngineAddress): StreamsApi => {
  const headers = makeHeaders(accessKeyId);
  const ask = async <T>(operation: string, body: object, schema: z.ZodType<T>): Promise<T> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        ...headers,
        'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${operation} failed: ${answer}`);
    return schema.parse(JSON.parse(answer));
  };

  const listShards = async (StreamArn: string, after?: string): Promise<readonly Shard[]> => {
    const page = { StreamArn, ...(after !== undefined && { ExclusiveStartShardId: after }) };
    const { StreamDescription } = await ask('DescribeStream', page, descriptionSchema);
    const { Shards, LastEvaluatedShardId: next } = StreamDescription;
    return next === undefined ? Shards : [...Shards, ...(await listShards(StreamArn, next))];
  };

  return {
    findStream: async (TableName) => {
      const { Streams } = await ask('ListStreams', { TableName }, streamsSchema);
      const newest = Streams.at(-1);
      if (newest === undefined) throw new Error(`table ${TableName} has no stream`);
      return newest.StreamArn;
    },
    listShards,
    iterator: async (StreamArn, ShardId, after) => {
      const askFrom = async (position: object): Promise<string> => {
        const request = { StreamArn, ShardId, ...position };
        return (await ask('GetShardIterator', request, iteratorSchema)).ShardIterator;
      };
      const oldest = { ShardIteratorType: 'TRIM_HORIZON' };
      if (after === undefined) return askFrom(oldest);
      const next = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      return askFrom(next).catch((error: unknown) => {
        // DynamoDB Local deletes records after a day, as DynamoDB does. Continue with the oldest available record.
        if (String(error).includes('TrimmedDataAccessException')) return askFrom(oldest);
        throw error;
      });
    },
    records: (ShardIterator, Limit) => ask('GetRecords', { ShardIterator, Limit }, pageSchema),
  };
};
