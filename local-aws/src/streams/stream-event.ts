/** Makes Lambda's event of stream records: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { region, streamArn } from '../template/names.ts';
import type { StreamRecord } from './streams-api.ts';

/** The least that AWS has, so that sequence numbers compare as text, too. */
const sequenceDigits = 21;

/** Where records come from. */
export interface RecordSource {
  readonly tableName: string;
  /** The stream as the engine calls it, by the moment of its creation. */
  readonly engineArn: string;
  readonly shardId: string;
}

/** The record as a function gets it. Its id stays the same when it is delivered again. */
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

/** Epoch milliseconds. */
export const readArrival = ({ dynamodb }: DynamoDBRecord): number =>
  (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

/** The item that the record is about, as text that is equal for the same item. */
export const identifyItem = ({ dynamodb }: DynamoDBRecord): string =>
  JSON.stringify(Object.entries(dynamodb?.Keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
