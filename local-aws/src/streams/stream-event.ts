/** Converts stream records into Lambda's event: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { region, streamArn } from '../template/names.ts';
import type { StreamRecord } from './streams-api.ts';

/** AWS's smallest number of digits. Padding to this length makes sequence numbers comparable as text. */
const sequenceDigits = 21;

/** Table, stream and shard of records. */
export interface RecordSource {
  readonly tableName: string;
  /** ARN of the stream in the engine, which contains the creation time. */
  readonly engineArn: string;
  readonly shardId: string;
}

/** Returns a record in Lambda's format. The record's id is stable across deliveries. */
export const makeLambdaRecord = (source: RecordSource, record: StreamRecord): DynamoDBRecord => {
  const SequenceNumber = record.dynamodb.SequenceNumber.padStart(sequenceDigits, '0');
  const identity = [source.engineArn, source.shardId, SequenceNumber].join();
  return {
    eventID: createHash('md5').update(identity).digest('hex'),
    eventName: record.eventName,
    eventVersion: record.eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: { ...record.dynamodb, SequenceNumber } as NonNullable<DynamoDBRecord['dynamodb']>,
    eventSourceARN: streamArn(source.tableName),
    ...(record.userIdentity !== undefined && { userIdentity: record.userIdentity }),
  };
};

export const readSequenceNumber = ({ dynamodb }: DynamoDBRecord): string =>
  dynamodb?.SequenceNumber ?? '';

/** Returns the record's creation time, in epoch milliseconds. */
export const readArrival = ({ dynamodb }: DynamoDBRecord): number =>
  (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

/** Returns the key of the record's item as text, for comparison. */
export const identifyItem = ({ dynamodb }: DynamoDBRecord): string =>
  JSON.stringify(Object.entries(dynamodb?.Keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
