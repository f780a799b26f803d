/** Lambda's message about records that were given up: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { functionArn, streamArn } from '../template/names.ts';
import { type RecordSource, readArrival, readSequenceNumber } from './stream-event.ts';

export interface Failure {
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly records: readonly DynamoDBRecord[];
  readonly invocations: number;
  /** True if the last invocation failed as a whole, without a list of failed records. */
  readonly functionError: boolean;
}

const formatTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');

/** Returns the message, with the position of the records but without their content. The request id is random. */
export const makeFailureRecord = (
  { tableName, shardId }: RecordSource,
  functionName: string,
  { condition, records, invocations, functionError }: Failure,
): object => {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) throw new Error('a failure without records');
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: functionArn(functionName),
      condition,
      approximateInvokeCount: invocations,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      functionError: functionError ? 'Unhandled' : null,
    },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: readSequenceNumber(first),
      endSequenceNumber: readSequenceNumber(last),
      approximateArrivalOfFirstRecord: formatTime(readArrival(first)),
      approximateArrivalOfLastRecord: formatTime(readArrival(last)),
      batchSize: records.length,
      streamArn: streamArn(tableName),
    },
  };
};
