import { Match, type Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import type { KindReport } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { describeMetrics, findAlarm, functionOf, namespace, refTo } from './alarms.ts';
import { findResource, listResources, type Property, statementsOf } from './property.ts';
import { attributeOf, streamOf } from './references.ts';

/** The field of the worker's log line with the delay in seconds. */
const lateness = 'late_seconds' satisfies keyof KindReport;

const pipeType = 'AWS::Pipes::Pipe';

const findPipe = (template: Template) =>
  findResource(template, pipeType, 'EventBusPipe')['Properties'];

export const eventProperties: readonly Property[] = [
  {
    why: 'numbers all events from the first record on, and skips none but the format of the table, so that their order never changes',
    check: (template) => {
      const [mapping, ...others] = listResources(
        template,
        'AWS::Lambda::EventSourceMapping',
      ).filter(({ id }) => id.startsWith('sequenceevents'));
      expect(others).toEqual([]);
      expect(mapping?.['Properties']).toEqual({
        EventSourceArn: streamOf(template, 'decisions'),
        FunctionName: functionOf(template, 'sequence-events'),
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 100,
        FilterCriteria: {
          Filters: [
            {
              Pattern:
                '{"eventName":["INSERT"],"dynamodb":{"Keys":{"package_key":{"S":[{"anything-but":["#format"]}]}}}}',
            },
          ],
        },
      });
    },
  },
  {
    why: 'sends every event to the bus with all its fields, and no other item of the table',
    check: (template) => {
      const { Source, SourceParameters, Target, TargetParameters } = findPipe(template);
      expect(Source).toEqual(streamOf(template, 'events'));
      expect(Target).toEqual(attributeOf(template, 'AWS::Events::EventBus', 'EventBus', 'Arn'));
      expect(SourceParameters.FilterCriteria).toEqual({
        Filters: [
          { Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"p":{"S":[{"prefix":"e#"}]}}}}' },
        ],
      });
      expect(SourceParameters.DynamoDBStreamParameters).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 10,
      });
      expect(TargetParameters.EventBridgeEventBusParameters).toEqual({
        Source: 'package-registry',
        DetailType: '$.dynamodb.NewImage.type.S',
        Time: '$.dynamodb.NewImage.at.S',
      });
      const fields = [...TargetParameters.InputTemplate.matchAll(/"(\w+)": </g)];
      expect(fields.map(([, field]) => field)).toEqual(Object.keys(RegistryEvent.shape));
    },
  },
  {
    why: 'sends an undeliverable event to the dead letters alone, before the stream deletes it',
    check: (template) => {
      const { SourceParameters } = findPipe(template);
      expect(SourceParameters.DynamoDBStreamParameters).toMatchObject({
        OnPartialBatchItemFailure: 'AUTOMATIC_BISECT',
        MaximumRecordAgeInSeconds: 43_200,
        DeadLetterConfig: {
          Arn: attributeOf(template, 'AWS::SQS::Queue', 'EventBusDeadLetters', 'Arn'),
        },
      });
    },
  },
  {
    why: 'lets the pipe of this account only read one stream, and write to one bus and one queue',
    check: (template) => {
      const role = findResource(template, 'AWS::IAM::Role', 'EventBusRole');
      expect(findPipe(template).RoleArn).toEqual({ 'Fn::GetAtt': [role.id, 'Arn'] });
      expect(role['Properties'].AssumeRolePolicyDocument.Statement).toEqual([
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Principal: { Service: 'pipes.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ]);
      const granted = statementsOf(role);
      const stream = streamOf(template, 'events');
      expect(
        granted.flatMap(({ Action, Resource }) => [Action].flat().map((one) => [one, Resource])),
      ).toEqual(
        expect.arrayContaining([
          ['dynamodb:DescribeStream', stream],
          ['dynamodb:GetRecords', stream],
          ['dynamodb:GetShardIterator', stream],
          ['dynamodb:ListStreams', stream],
          ['events:PutEvents', attributeOf(template, 'AWS::Events::EventBus', 'EventBus', 'Arn')],
          [
            'sqs:SendMessage',
            attributeOf(template, 'AWS::SQS::Queue', 'EventBusDeadLetters', 'Arn'),
          ],
        ]),
      );
      expect(granted.flatMap(({ Action }) => Action)).toHaveLength(6);
    },
  },
  {
    why: 'has an alarm on failures of the pipe, long before events become dead letters',
    check: (template) => {
      const pipe = refTo(template, pipeType, 'EventBusPipe');
      expect(describeMetrics(template, 'event-bus-failing')).toEqual([
        ['ExecutionFailed', 'Sum', pipe],
        ['ExecutionPartiallyFailed', 'Sum', pipe],
        ['ExecutionThrottled', 'Sum', pipe],
        ['ExecutionTimeout', 'Sum', pipe],
      ]);
      const { Threshold, Metrics } = findAlarm(template, 'event-bus-failing')['Properties'];
      expect(Threshold).toBe(1);
      for (const { MetricStat } of Metrics.slice(1)) {
        expect(MetricStat.Metric.Namespace).toBe('AWS/EventBridge/Pipes');
      }
    },
  },
  {
    why: 'has an alarm on dead letters of events, until someone deletes them',
    check: (template) => {
      expect(describeMetrics(template, 'event-dead-letters')).toEqual([
        [
          'ApproximateNumberOfMessagesVisible',
          'Maximum',
          attributeOf(template, 'AWS::SQS::Queue', 'EventBusDeadLetters', 'QueueName'),
        ],
      ]);
    },
  },
  {
    why: 'invokes the worker for due work every minute, without a retry',
    check: (template) => {
      const { id } = findResource(template, 'AWS::Lambda::Function', 'runduework');
      template.hasResourceProperties('AWS::Events::Rule', {
        ScheduleExpression: 'rate(1 minute)',
        State: 'ENABLED',
        Targets: [
          Match.objectLike({
            Arn: { 'Fn::GetAtt': [id, 'Arn'] },
            RetryPolicy: { MaximumRetryAttempts: 0 },
          }),
        ],
      });
      template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
        FunctionName: { Ref: id },
        MaximumRetryAttempts: 0,
      });
    },
  },
  {
    why: 'has an alarm on due work that is 5 minutes late, from the log of the workers',
    check: (template) => {
      const filter = findResource(
        template,
        'AWS::Logs::MetricFilter',
        'MonitoringCountDueWorkDelay',
      );
      expect(filter['Properties']).toEqual({
        FilterPattern: '{ $.event = "due_work" }',
        LogGroupName: refTo(template, 'AWS::Logs::LogGroup', 'WorkersLog'),
        MetricTransformations: [
          {
            MetricName: 'DueWorkDelay',
            MetricNamespace: namespace,
            MetricValue: `$.${lateness}`,
          },
        ],
      });
      const byKind = findResource(
        template,
        'AWS::Logs::MetricFilter',
        'MonitoringCountDueWorkByKind',
      );
      expect(byKind['Properties']).toMatchObject({
        FilterPattern: '{ $.event = "due_work" }',
        MetricTransformations: [
          { MetricName: 'DueWorkDelay', Dimensions: [{ Key: 'Kind', Value: '$.kind' }] },
        ],
      });
      // All kinds together.
      const alarm = findAlarm(template, 'due-work-late')['Properties'];
      expect(alarm.Dimensions).toBeUndefined();
      expect(alarm).toMatchObject({
        MetricName: 'DueWorkDelay',
        Namespace: namespace,
        Statistic: 'Maximum',
        Threshold: 300,
        Period: 300,
        EvaluationPeriods: 1,
      });
    },
  },
];
