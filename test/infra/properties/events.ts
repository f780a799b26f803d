import type { Template } from 'aws-cdk-lib/assertions';
import { Match } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { allPages } from '../../../shared/pages.ts';
import { findTableDefinition, type TableId, tables } from '../../../shared/resources.ts';
import { allRoutes } from '../../../shared/routes.ts';
import { RegistryEvent } from '../../../shared/schemas/event.ts';
import { describeMetrics, findAlarm, functionOf, namespace, refTo } from './alarms.ts';
import { findResource, listResources, type Property, toLogicalId } from './property.ts';

const tableType = 'AWS::DynamoDB::GlobalTable';
const pipeType = 'AWS::Pipes::Pipe';

const attributeOf = (template: Template, type: string, prefix: string, attribute: string) => ({
  'Fn::GetAtt': [findResource(template, type, prefix).id, attribute],
});

const streamOf = (template: Template, id: TableId) =>
  attributeOf(
    template,
    tableType,
    `Tables${toLogicalId(id)[0]?.toUpperCase()}${id.slice(1)}`,
    'StreamArn',
  );

/** The streams and queues that are read, each as often as something reads it. */
const listSources = (template: Template): unknown[] => [
  ...listResources(template, 'AWS::Lambda::EventSourceMapping').map(
    ({ Properties }) => Properties.EventSourceArn,
  ),
  ...listResources(template, pipeType).map(({ Properties }) => Properties.Source),
];

const streamed = (Object.keys(tables) as TableId[]).filter(
  (id) => findTableDefinition(id).streamed,
);

const findPipe = (template: Template) =>
  findResource(template, pipeType, 'EventBusPipe')['Properties'];

/** How many resources an endpoint or page takes, in the stack and in the gateway. */
const endpointResources = 6;

export const eventProperties: readonly Property[] = [
  ...streamed.map(
    (id): Property => ({
      why: `has one reader of the stream of ${id}: DynamoDB slows down what has more than two`,
      check: (template) => {
        const stream = JSON.stringify(streamOf(template, id));
        const readers = listSources(template).filter((source) => JSON.stringify(source) === stream);
        expect(readers).toHaveLength(1);
      },
    }),
  ),
  {
    why: 'adds no global index: each would make every write of its table dearer',
    check: (template) => {
      for (const { Properties } of listResources(template, tableType)) {
        expect(Properties.GlobalSecondaryIndexes ?? []).toEqual([]);
      }
    },
  },
  {
    why: `spends at most ${endpointResources} resources on an endpoint or page, of the 500 that a stack may have`,
    check: (template) => {
      const all = Object.entries<{ Type: string }>(template.toJSON()['Resources']);
      const served = [...allRoutes, ...allPages];
      for (const { id } of served) {
        const own = all.filter(([name]) => name.startsWith(toLogicalId(id)));
        expect(own.map(([, { Type }]) => Type).sort()).toEqual([
          'AWS::IAM::Policy',
          'AWS::IAM::Role',
          'AWS::Lambda::Function',
        ]);
      }
      const inGateway = all.filter(([, { Type }]) =>
        ['AWS::ApiGateway::Method', 'AWS::Lambda::Permission'].includes(Type),
      );
      // A function of the gateway has a permission for the stage alone, and none for the console's test.
      expect(inGateway.length).toBeLessThanOrEqual(served.length * (endpointResources - 3));
    },
  },
  {
    why: 'orders all that happens, from the first record on, and gives none up: none may come before one that failed',
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
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
      });
    },
  },
  {
    why: 'brings every event to the bus, with all its fields, and nothing else that is in the table',
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
    why: 'gives up what cannot be brought to the bus alone, and well before the stream forgets it, and keeps it',
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
    why: 'lets the pipe, on behalf of this account, read one stream, write to one bus and one queue, and nothing else',
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
      const { PolicyDocument } = findResource(template, 'AWS::IAM::Policy', 'EventBusRole')[
        'Properties'
      ];
      const granted: { Action: string | string[]; Resource: unknown }[] = PolicyDocument.Statement;
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
    why: 'tells when events do not reach the bus, long before they are given up',
    check: (template) => {
      const pipe = refTo(template, pipeType, 'EventBusPipe');
      expect(describeMetrics(template, 'event-bus-failing')).toEqual([
        ['ExecutionFailed', 'Sum', pipe],
        ['ExecutionPartiallyFailed', 'Sum', pipe],
        ['ExecutionThrottled', 'Sum', pipe],
        ['ExecutionTimeout', 'Sum', pipe],
      ]);
      expect(findAlarm(template, 'event-bus-failing')['Properties'].Threshold).toBe(1);
      for (const { MetricStat } of findAlarm(template, 'event-bus-failing')['Properties'].Metrics) {
        expect(MetricStat?.Metric.Namespace ?? 'AWS/EventBridge/Pipes').toBe(
          'AWS/EventBridge/Pipes',
        );
      }
    },
  },
  {
    why: 'tells when events were given up, until somebody has looked at them',
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
    why: 'looks every minute for what is due, and leaves a look that failed to the next one',
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
    why: 'reads from the log of the workers how late they were with what is due, and tells from 5 minutes on',
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
            MetricValue: '$.late_seconds',
          },
        ],
      });
      expect(findAlarm(template, 'due-work-late')['Properties']).toMatchObject({
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
