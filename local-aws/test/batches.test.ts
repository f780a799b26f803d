import { describe, expect, it } from 'vitest';
import { splitIntoBatches } from '../src/streams/batches.ts';
import { makeFailureRecord } from '../src/streams/failure-record.ts';
import { readSequences, record, shard } from './fixture/stream.ts';

describe('records', () => {
  it.each([
    ['as many as a batch may have', 2, '', [[1, 2], [3]]],
    ['as much as an event can hold', 100, 'x'.repeat(2_900_000), [[1, 2], [3]]],
    ['all that fit', 100, '', [[1, 2, 3]]],
  ])('become batches of %s', (_, batchSize, text, expected) => {
    const records = [1, 2, 3].map((sequence) => ({ ...record(sequence), text }));

    expect(splitIntoBatches(records, batchSize).map(readSequences)).toEqual(expected);
  });
});

describe('a failure record', () => {
  it('tells where the records are, and nothing of what is in them', () => {
    const records = [record(8, 2000), record(9)];

    const told = makeFailureRecord(shard, 'worker', {
      condition: 'RetryAttemptsExhausted',
      records,
      invocations: 3,
      functionError: true,
    });

    expect(told).toEqual({
      requestContext: {
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:worker',
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 3,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      DDBStreamBatchInfo: {
        shardId: 'shard',
        startSequenceNumber: '000000000000000000008',
        endSequenceNumber: '000000000000000000009',
        approximateArrivalOfFirstRecord: expect.stringMatching(/T\d\d:\d\d:\d\dZ$/),
        approximateArrivalOfLastRecord: expect.stringMatching(/T\d\d:\d\d:\d\dZ$/),
        batchSize: 2,
        streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Things/stream/local',
      },
    });
  });
});
