import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ProblemCode } from '../../shared/domain/errors.ts';
import type { Settings } from '../config.ts';
import { AlarmChannel } from './alarm-channel.ts';
import type { RegistryFunction } from './registry-function.ts';
import { maxReceiveCount, type QueuePair, type RegistryQueues } from './registry-queues.ts';
import type { RestApi } from './rest-api.ts';
import type { SharedLog } from './shared-log.ts';

interface MonitoringProps {
  readonly api: RestApi;
  /** Where the functions log that answer requests. */
  readonly endpointsLog: SharedLog;
  /** The functions that nobody waits for, and whose failures nobody would notice. */
  readonly workers: readonly RegistryFunction[];
  /** The workers that a clock wakes, at least once an hour. */
  readonly clocked: readonly RegistryFunction[];
  /** The workers that follow a table's stream. */
  readonly streamReaders: readonly RegistryFunction[];
  readonly tables: readonly ITableV2[];
  readonly queues: RegistryQueues;
  readonly settings: Settings;
}

interface AlarmRule {
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly evaluationPeriods?: number;
  /** Goes off below the threshold, and where nothing is measured at all. */
  readonly below?: boolean;
}

const period = Duration.minutes(5);

/** A record that waits so long in a stream is one that its reader fails on. */
const lateStream = Duration.minutes(30);

/** Fetches of the token list fail now and then; this many in five minutes are no accident. */
const tokenListFailures = 3;

/** A line of the log about one kind of event. */
const isEvent = (name: string): JsonPattern => FilterPattern.stringValue('$.event', '=', name);

/** Metrics that the log is counted for, and alarms on what callers and operators must know. */
export class Monitoring extends Construct {
  private readonly channel: AlarmChannel;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { api, endpointsLog, workers, queues, settings } = props;
    this.settings = settings;
    this.channel = new AlarmChannel(this, 'Channel', settings);
    this.countProblems(endpointsLog);
    this.countTokenEvents(endpointsLog);
    this.addAnswerAlarms(api);
    this.addTokenAlarms();
    this.addThrottleAlarms(props.tables);
    for (const worker of workers) this.addWorkerAlarm(worker);
    for (const worker of props.clocked) this.addClockAlarm(worker);
    for (const worker of props.streamReaders) this.addStreamAlarm(worker);
    for (const [id, pair] of queues.all) this.addQueueAlarms(id, pair);
  }

  private addAnswerAlarms(api: RestApi): void {
    const { slowAnswerMs, requestSurge } = this.settings;
    this.addAlarm('ServerErrors', {
      description: 'The registry answered with a 5xx status',
      metric: api.serverErrors({ period, statistic: Stats.SUM }),
      threshold: 1,
    });
    this.addAlarm('SlowAnswers', {
      description: `One answer in a hundred took ${slowAnswerMs} ms or more, for 15 minutes`,
      metric: api.latency({ period, statistic: Stats.p(99) }),
      threshold: slowAnswerMs,
      evaluationPeriods: 3,
    });
    this.addAlarm('RequestSurge', {
      description: `${requestSurge} requests or more came within 5 minutes; each costs, and no limit is set by default`,
      metric: api.requests({ period, statistic: Stats.SUM }),
      threshold: requestSurge,
    });
  }

  /** Requests that a table refuses are tried again; where that does not help, answers are slow or fail. */
  private addThrottleAlarms(tables: readonly ITableV2[]): void {
    for (const kind of ['Read', 'Write'] as const) {
      const metricName = `${kind}ThrottleEvents`;
      const metrics = tables.map((table) => table.metric(metricName, { statistic: Stats.SUM }));
      this.addAlarm(`${kind}sThrottled`, {
        description: `A table refused to ${kind.toLowerCase()}: more was asked of one of its partitions than it can do`,
        metric: this.sum(metrics, 'Throttled'),
        threshold: 1,
      });
    }
  }

  private addTokenAlarms(): void {
    const { refusalBurst } = this.settings;
    this.addAlarm('RefusalBurst', {
      description: `${refusalBurst} requests or more had no token or a wrong one, within 5 minutes`,
      metric: this.sum(
        [this.problems('missing_token'), this.problems('invalid_token')],
        'Refused tokens',
      ),
      threshold: refusalBurst,
    });
    this.addAlarm('TokenListNotLoaded', {
      description: 'The token list cannot be loaded: after 10 minutes nobody can write',
      metric: this.events('TokenListNotLoaded'),
      threshold: tokenListFailures,
    });
    this.addAlarm('AuthenticationOff', {
      description: 'The token list is empty, so that anyone may write',
      metric: this.events('AuthenticationOff'),
      threshold: 1,
    });
  }

  private addWorkerAlarm(worker: RegistryFunction): void {
    const { lambda, node } = worker;
    this.addAlarm(`${node.id}-errors`, {
      description: `The worker ${node.id} failed, or the account had no room to run it`,
      metric: this.sum([lambda.metricErrors(), lambda.metricThrottles()], 'Failed or throttled'),
      threshold: 1,
    });
  }

  private addClockAlarm({ lambda, node }: RegistryFunction): void {
    this.addAlarm(`${node.id}-asleep`, {
      description: `Nothing has woken the worker ${node.id} for an hour: its clock has stopped, or has not begun`,
      metric: lambda.metricInvocations({ period: Duration.hours(1), statistic: Stats.SUM }),
      threshold: 1,
      below: true,
    });
  }

  private addStreamAlarm({ lambda, node }: RegistryFunction): void {
    this.addAlarm(`${node.id}-late`, {
      description: `The worker ${node.id} is ${lateStream.toMinutes()} minutes behind its stream, which keeps a day`,
      metric: lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      threshold: lateStream.toMilliseconds(),
    });
  }

  private addQueueAlarms(id: string, { queue, deadLetters }: QueuePair): void {
    this.addAlarm(`${id}-queue-late`, {
      description: `The queue ${id} has held a version for an hour: its worker fails, or does not keep up`,
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: Stats.MAXIMUM }),
      threshold: Duration.hours(1).toSeconds(),
    });
    this.addAlarm(`${id}-dead-letters`, {
      description: `The queue ${id} has given up versions after ${maxReceiveCount} tries; its dead-letter queue names them until they are deleted there`,
      // Not how many were sent: SQS counts none that it moves there by itself.
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 1,
    });
  }

  /** Counts what is wrong with the token list. */
  private countTokenEvents({ group }: SharedLog): void {
    for (const [metricName, name] of [
      ['TokenListNotLoaded', 'token_list_not_loaded'],
      ['AuthenticationOff', 'authentication_off'],
    ] as const) {
      new MetricFilter(this, `Count${metricName}`, {
        logGroup: group,
        filterPattern: isEvent(name),
        metricNamespace: this.namespace,
        metricName,
      });
    }
  }

  /** Counts problems by their code. */
  private countProblems({ group }: SharedLog): void {
    new MetricFilter(this, 'CountProblems', {
      logGroup: group,
      filterPattern: FilterPattern.all(isEvent('request'), FilterPattern.exists('$.code')),
      metricNamespace: this.namespace,
      metricName: 'Problems',
      dimensions: { Code: '$.code' },
    });
  }

  private get namespace(): string {
    return this.settings.stackName;
  }

  private problems(code: ProblemCode): Metric {
    const { namespace } = this;
    const dimensionsMap = { Code: code };
    return new Metric({
      namespace,
      metricName: 'Problems',
      dimensionsMap,
      period,
      statistic: Stats.SUM,
    });
  }

  private events(metricName: string): Metric {
    return new Metric({ namespace: this.namespace, metricName, period, statistic: Stats.SUM });
  }

  /** What all of them count together. Nothing is measured where nothing happened. */
  private sum(metrics: readonly Metric[], label: string): MathExpression {
    const named = metrics.map((metric, at) => [`m${at}`, metric] as const);
    return new MathExpression({
      expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(named),
      label,
      period,
    });
  }

  private addAlarm(id: string, rule: AlarmRule): void {
    const { description, evaluationPeriods = 1, below = false, metric, threshold } = rule;
    const alarm = new Alarm(this, id, {
      alarmDescription: description,
      metric,
      threshold,
      evaluationPeriods,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    this.channel.tellOf(alarm);
  }
}
