import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { toTitleCase } from '../../../infra/constructs/title-case.ts';
import { tables } from '../../../shared/api/resources.ts';
import { workers } from '../../../shared/api/workers.ts';
import { findResource, listResources, type Property, toLogicalId } from './property.ts';

const alarmType = 'AWS::CloudWatch::Alarm';
export const namespace = 'PackageRegistry';

/** Returns the metrics of an alarm. */
const listMetrics = (alarm: ReturnType<typeof findResource>) => {
  const { Metrics, ...single } = alarm['Properties'];
  if (!Metrics) return [{ ...single, Stat: single.Statistic ?? single.ExtendedStatistic }];
  return Metrics.flatMap(({ MetricStat: stat }: { MetricStat?: { Metric: object } }) =>
    stat ? [{ ...stat, ...stat.Metric }] : [],
  );
};

export const findAlarm = (template: Template, prefix: string) =>
  findResource(template, alarmType, `Monitoring${toLogicalId(prefix)}`);

/** Returns the metrics of an alarm: name, statistic, and the value of the dimension. */
export const describeMetrics = (template: Template, prefix: string): unknown[] =>
  listMetrics(findAlarm(template, prefix)).map(
    (metric: { MetricName: string; Stat: string; Dimensions?: { Value: unknown }[] }) => [
      metric.MetricName,
      metric.Stat,
      ...(metric.Dimensions ?? []).map(({ Value }) => Value),
    ],
  );

export const refTo = (template: Template, type: string, prefix: string) => ({
  Ref: findResource(template, type, toLogicalId(prefix)).id,
});

export const functionOf = (template: Template, id: string) =>
  refTo(template, 'AWS::Lambda::Function', `${id}Function`);

/** Returns whether an alarm goes off for missing invocations. */
const isClockAlarm = (id: string): boolean => id.includes('asleep');

const single: readonly [string, string, string, string, number, number][] = [
  ['ServerErrors', 'AWS/ApiGateway', '5XXError', 'Sum', 1, 1],
  ['ItemsFailed', namespace, 'ItemsFailed', 'Sum', 1, 1],
  ['SlowAnswers', 'AWS/ApiGateway', 'Latency', 'p99', 3000, 3],
  ['RequestSurge', 'AWS/ApiGateway', 'Count', 'Sum', 30_000, 1],
  ['TokenListNotLoaded', namespace, 'TokenListNotLoaded', 'Sum', 3, 1],
  ['AuthenticationOff', namespace, 'AuthenticationOff', 'Sum', 1, 1],
];

/** The metric filters: name of the metric, and pattern of the log lines. */
const counted = [
  ['Problems', '{ ($.event = "request") && ($.code = "*") }'],
  ['TokenListNotLoaded', '{ $.event = "token_list_not_loaded" }'],
  ['AuthenticationOff', '{ $.event = "authentication_off" }'],
  ['ItemsFailed', '{ $.event = "item_failed" }'],
] as const;

export const alarmProperties: readonly Property[] = [
  ...single.map(
    ([id, space, metric, statistic, threshold, periods]): Property => ({
      why: `has the alarm ${id} with the threshold ${threshold}`,
      check: (template) => {
        const { Properties } = findAlarm(template, id);
        expect(Properties.Statistic ?? Properties.ExtendedStatistic).toBe(statistic);
        expect(Properties).toMatchObject({
          MetricName: metric,
          Namespace: space,
          Threshold: threshold,
          EvaluationPeriods: periods,
          Period: 300,
        });
      },
    }),
  ),
  ...counted.map(
    ([metric, pattern]): Property => ({
      why: `counts ${metric} in the log of all endpoints, with the metric name of its alarm`,
      check: (template) => {
        const filter = findResource(
          template,
          'AWS::Logs::MetricFilter',
          `MonitoringCount${metric}`,
        )['Properties'];
        expect(filter).toMatchObject({
          FilterPattern: pattern,
          LogGroupName: refTo(template, 'AWS::Logs::LogGroup', 'EndpointsLog'),
          MetricTransformations: [
            { MetricName: metric, MetricNamespace: namespace, MetricValue: '1' },
          ],
        });
      },
    }),
  ),
  {
    why: 'counts error responses by code, so that an alarm can select one',
    check: (template) => {
      const filter = findResource(template, 'AWS::Logs::MetricFilter', 'MonitoringCountProblems');
      const [{ Dimensions }] = filter['Properties'].MetricTransformations;
      expect(Dimensions).toEqual([{ Key: 'Code', Value: '$.code' }]);
    },
  },
  {
    why: 'adds up requests with missing and invalid tokens for one alarm',
    check: (template) => {
      expect(describeMetrics(template, 'RefusalBurst')).toEqual([
        ['Problems', 'Sum', 'missing_token'],
        ['Problems', 'Sum', 'invalid_token'],
      ]);
      expect(findAlarm(template, 'RefusalBurst')['Properties'].Threshold).toBe(100);
    },
  },
  {
    why: 'adds up every metric of a sum, with missing data as zero',
    check: (template) => {
      for (const { Properties } of listResources(template, alarmType)) {
        const parts: { Id: string; Expression?: string }[] = Properties.Metrics ?? [];
        const terms = parts.filter((part) => !part.Expression).map(({ Id }) => `FILL(${Id}, 0)`);
        const sums = parts.flatMap(({ Expression }) => Expression ?? []);
        expect(sums).toEqual(terms.length > 0 ? [terms.join(' + ')] : []);
      }
    },
  },
  {
    why: 'has an alarm on failed runs of any worker, which no caller sees',
    check: (template) => {
      const filter = findResource(
        template,
        'AWS::Logs::MetricFilter',
        'MonitoringCountWorkerFaults',
      );
      expect(filter['Properties']).toMatchObject({
        FilterPattern: expect.stringContaining('worker_failed'),
        LogGroupName: refTo(template, 'AWS::Logs::LogGroup', 'WorkersLog'),
        MetricTransformations: [
          { MetricName: 'WorkerFaults', MetricNamespace: namespace, MetricValue: '1' },
        ],
      });
      expect(describeMetrics(template, 'worker-faults')).toEqual([['WorkerFaults', 'Sum']]);
      expect(findAlarm(template, 'worker-faults')['Properties']).toMatchObject({
        Namespace: namespace,
        Threshold: 1,
      });
    },
  },
  {
    why: 'writes the lines of all workers to the log in which failed runs are counted',
    check: (template) => {
      const log = refTo(template, 'AWS::Logs::LogGroup', 'WorkersLog');
      for (const { id } of Object.values(workers)) {
        const { LoggingConfig } = findResource(
          template,
          'AWS::Lambda::Function',
          `${toLogicalId(id)}Function`,
        )['Properties'];
        expect(LoggingConfig).toEqual({ LogGroup: log });
      }
    },
  },
  ...['rescan-packages', 'run-due-work'].map(
    (id): Property => ({
      why: `has an alarm on an hour without an invocation of ${id}`,
      check: (template) => {
        expect(describeMetrics(template, `${id}-asleep`)).toEqual([
          ['Invocations', 'Sum', functionOf(template, id)],
        ]);
        expect(findAlarm(template, `${id}-asleep`)['Properties']).toMatchObject({
          ComparisonOperator: 'LessThanThreshold',
          Threshold: 1,
          Period: 3600,
          TreatMissingData: 'breaching',
        });
      },
    }),
  ),
  {
    why: 'has an alarm on each stream consumer that is 30 minutes behind',
    check: (template) => {
      const readers = listResources(template, 'AWS::Lambda::EventSourceMapping')
        .filter(({ Properties }) => JSON.stringify(Properties.EventSourceArn).includes('Stream'))
        .map(({ Properties }) => Properties.FunctionName);
      const watched = listResources(template, alarmType)
        .filter(({ Properties }) => Properties.MetricName === 'IteratorAge')
        .map(({ Properties }) => {
          expect(Properties).toMatchObject({ Statistic: 'Maximum', Threshold: 1_800_000 });
          return Properties.Dimensions[0].Value;
        });
      expect(new Set(watched)).toEqual(new Set(readers));
      expect(readers.length).toBeGreaterThan(0);
    },
  },
  ...['Read', 'Write'].map(
    (kind): Property => ({
      why: `has an alarm on throttled ${kind.toLowerCase()} requests of any table`,
      check: (template) => {
        const expected = Object.keys(tables).map((id) => [
          `${kind}ThrottleEvents`,
          'Sum',
          refTo(template, 'AWS::DynamoDB::GlobalTable', `Tables${toTitleCase(id)}`),
        ]);
        expect(describeMetrics(template, `${kind}sThrottled`)).toEqual(expected);
      },
    }),
  ),
  {
    why: 'has an alarm on each dead-letter queue',
    check: (template) => {
      const dead = listResources(template, 'AWS::SQS::Queue').filter(
        ({ Properties }) => !Properties.RedrivePolicy,
      );
      const watched = listResources(template, alarmType)
        .filter(
          ({ Properties }) => Properties.Namespace === 'AWS/SQS' && Properties.Threshold === 1,
        )
        .map(({ Properties }) => Properties.Dimensions[0].Value);
      expect(watched).toEqual(
        expect.arrayContaining(dead.map(({ id }) => ({ 'Fn::GetAtt': [id, 'QueueName'] }))),
      );
      expect(dead.length).toBeGreaterThan(0);
    },
  },
  {
    why: 'has an alarm on a recall, or a record, that is 25 minutes late',
    check: (template) => {
      const filters = listResources(template, 'AWS::Logs::MetricFilter').filter(
        ({ Properties }) => Properties.MetricTransformations[0].MetricName === 'RecallDelay',
      );
      expect(filters.map(({ Properties }) => Properties)).toEqual(
        ['package_recalled', 'recalls_waiting'].map((event) =>
          expect.objectContaining({
            FilterPattern: `{ $.event = "${event}" }`,
            LogGroupName: refTo(template, 'AWS::Logs::LogGroup', 'WorkersLog'),
            MetricTransformations: [
              { MetricName: 'RecallDelay', MetricNamespace: namespace, MetricValue: '$.minutes' },
            ],
          }),
        ),
      );
      expect(describeMetrics(template, 'recall-late')).toEqual([['RecallDelay', 'Maximum']]);
      expect(findAlarm(template, 'recall-late')['Properties'].Threshold).toBe(25);
    },
  },
  {
    why: 'has alarms that go off within 15 minutes, and not for missing data',
    check: (template) => {
      for (const alarm of listResources(template, alarmType)) {
        const { EvaluationPeriods, DatapointsToAlarm, ...rest } = alarm['Properties'];
        const [{ Period }] = listMetrics(alarm);
        const longest = isClockAlarm(alarm.id) ? 3600 : 900;
        expect(EvaluationPeriods * Period).toBeLessThanOrEqual(longest);
        expect(DatapointsToAlarm ?? EvaluationPeriods).toBe(EvaluationPeriods);
        expect(rest.ActionsEnabled ?? true).toBe(true);
        if (isClockAlarm(alarm.id)) continue;
        expect(rest).toMatchObject({
          TreatMissingData: 'notBreaching',
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        });
      }
    },
  },
];
