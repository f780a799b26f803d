import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../src/template/model.ts';
import { queueArn } from '../src/template/names.ts';
import { findFirst, readChangedTemplate } from './fixture/changed-template.ts';
import { synthesiseEventFixture } from './fixture/event-app.ts';

let assembly: string;

beforeAll(() => {
  assembly = synthesiseEventFixture();
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

interface Change {
  readonly queue?: Record<string, unknown>;
  readonly mapping?: Record<string, unknown>;
}

/** Returns the model with one more queue, which invokes the fixture's function. */
const readWith = ({ queue = {}, mapping = {} }: Change = {}): StackModel =>
  readChangedTemplate(assembly, (resources) => {
    const { FunctionName } = findFirst(resources, 'AWS::Lambda::EventSourceMapping').Properties;
    resources['Dead'] = { Type: 'AWS::SQS::Queue', Properties: {} };
    resources['Jobs'] = {
      Type: 'AWS::SQS::Queue',
      Properties: { VisibilityTimeout: 60, ...queue },
    };
    resources['JobsMapping'] = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Jobs', 'Arn'] },
        FunctionName,
        ...mapping,
      },
    };
  });

describe('the model', () => {
  it('has queues with AWS’s defaults for what the template leaves out', () => {
    expect(readWith().queues['Dead']).toEqual({
      id: 'Dead',
      name: 'Dead',
      arn: queueArn('Dead'),
      delaySeconds: 0,
      maxMessageBytes: 1_048_576,
      receiveWaitSeconds: 0,
      retentionSeconds: 345_600,
      visibilityTimeoutSeconds: 30,
    });
  });

  it('has what a template says of a queue, and where it gives up messages to', () => {
    const queue = {
      DelaySeconds: 5,
      MaximumMessageSize: 2048,
      MessageRetentionPeriod: 60,
      QueueName: 'jobs',
      ReceiveMessageWaitTimeSeconds: 20,
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 5 },
      SqsManagedSseEnabled: true,
    };

    expect(readWith({ queue }).queues['Jobs']).toEqual({
      id: 'Jobs',
      name: 'jobs',
      arn: queueArn('jobs'),
      delaySeconds: 5,
      maxMessageBytes: 2048,
      receiveWaitSeconds: 20,
      retentionSeconds: 60,
      visibilityTimeoutSeconds: 60,
      redrive: { queueId: 'Dead', queueArn: queueArn('Dead'), maxReceiveCount: 5 },
    });
  });

  it('has the mapping of a queue beside those of streams', () => {
    const mapping = {
      BatchSize: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    };
    const { queueSources, eventSources, functions } = readWith({ mapping });

    expect(queueSources).toEqual({
      JobsMapping: {
        id: 'JobsMapping',
        queueId: 'Jobs',
        functionId: Object.keys(functions)[0],
        batchSize: 4,
        maxConcurrency: 2,
        reportsItemFailures: true,
      },
    });
    expect(Object.keys(eventSources)).toHaveLength(1);
    expect(readWith().queueSources['JobsMapping']).toMatchObject({
      batchSize: 10,
      maxConcurrency: 5,
      reportsItemFailures: false,
    });
  });

  it('leaves out a mapping that is switched off', () => {
    expect(readWith({ mapping: { Enabled: false } }).queueSources).toEqual({});
  });
});

describe('what is not emulated', () => {
  it.each<[string, Change, RegExp]>([
    ['a FIFO queue', { queue: { FifoQueue: true } }, /Jobs .*FifoQueue/],
    [
      'a dead-letter queue elsewhere',
      { queue: { RedrivePolicy: { deadLetterTargetArn: 'arn:x', maxReceiveCount: 1 } } },
      /Jobs .*arn:x is not one of its queues/,
    ],
    ['a batch too large', { mapping: { BatchSize: 11 } }, /JobsMapping .*BatchSize/],
    [
      'a window',
      { mapping: { MaximumBatchingWindowInSeconds: 1 } },
      /JobsMapping .*MaximumBatchingWindowInSeconds/,
    ],
    ['a filter', { mapping: { FilterCriteria: { Filters: [] } } }, /JobsMapping .*FilterCriteria/],
    [
      'a queue that hides for less long than its function may take',
      { queue: { VisibilityTimeout: 2 } },
      /JobsMapping .*the visibility timeout of Jobs, 2 seconds, is less than the 3 seconds/,
    ],
  ])('is refused by name: %s', (_, change, why) => {
    expect(() => readWith(change)).toThrow(why);
  });
});
