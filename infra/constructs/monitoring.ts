import { Duration } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import { AlarmChannel } from './alarm-channel.ts';
import { type AlarmRule, addAlarm, sumMetrics } from './alarms.ts';
import { Dashboard } from './dashboard.ts';
import type { RegistryEventBus } from './event-bus.ts';
import { LabelQuery } from './label-query.ts';
import { LogMetrics } from './log-metrics.ts';
import type { RegistryFunction } from './registry-function.ts';
import { maxReceiveCount, type QueuePair, type RegistryQueues } from './registry-queues.ts';
import type { RestApi } from './rest-api.ts';
import type { SharedLog } from './shared-log.ts';

interface MonitoringProps {
  readonly api: RestApi;
  /** Where the functions log that answer requests. */
  readonly endpointsLog: SharedLog;
  /** Where the functions log that nobody waits for. */
  readonly workersLog: SharedLog;
  /** The functions that nobody waits for, and whose failures nobody would notice. */
  readonly workers: readonly RegistryFunction[];
  /** The workers that a clock wakes, at least once an hour. */
  readonly clocked: readonly RegistryFunction[];
  /** The workers that follow a table's stream. */
  readonly streamReaders: readonly RegistryFunction[];
  /** By their ids. */
  readonly tables: Readonly<Record<string, ITableV2>>;
  readonly queues: RegistryQueues;
  readonly bus: RegistryEventBus;
  readonly settings: Settings;
}

const period = Duration.minutes(5);

/** A record that waits so long in a stream is one that its reader fails on. */
const lateStream = Duration.minutes(30);

/** What is due is done within a minute or two. */
const lateDueWork = Duration.minutes(5);

/** Fetches of the token list fail now and then; this many in five minutes are no accident. */
const tokenListFailures = 3;

/** Metrics that the log is counted for, and alarms on what callers and operators must know. */
export class Monitoring extends Construct {
  private readonly channel: AlarmChannel;
  private readonly settings: Settings;
  private readonly logs: LogMetrics;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { api, endpointsLog, workersLog, workers, queues, settings } = props;
    this.settings = settings;
    this.channel = new AlarmChannel(this, 'Channel', settings);
    const namespace = settings.stackName;
    this.logs = new LogMetrics(this, { namespace, period, endpointsLog, workersLog });
    this.addAnswerAlarms(api);
    this.addTokenAlarms();
    this.addThrottleAlarms(Object.values(props.tables));
    for (const worker of workers) this.addWorkerAlarm(worker);
    for (const worker of props.clocked) this.addClockAlarm(worker);
    for (const worker of props.streamReaders) this.addStreamAlarm(worker);
    for (const [id, pair] of queues.all) this.addQueueAlarms(id, pair);
    this.addDueWorkAlarm();
    this.addScanAlarms();
    this.addEventAlarms(props.bus);
    new LabelQuery(this, 'LabelQuery', { stackName: settings.stackName, log: endpointsLog });
    if (settings.dashboard) {
      const { stackName } = settings;
      const { tables } = props;
      new Dashboard(this, 'Dashboard', { stackName, api, logs: this.logs, queues, tables });
    }
  }

  private addAnswerAlarms(api: RestApi): void {
    const { slowAnswerMs, requestSurge } = this.settings;
    this.addAlarm('ServerErrors', {
      description: 'The registry answered with a 5xx status',
      metric: api.serverErrors({ period, statistic: Stats.SUM }),
      threshold: 1,
    });
    this.addAlarm('ItemsFailed', {
      description: 'Part of a request for many packages failed, though the request was answered',
      metric: this.logs.itemsFailed(),
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
        [this.logs.problems('missing_token'), this.logs.problems('invalid_token')],
        'Refused tokens',
      ),
      threshold: refusalBurst,
    });
    this.addAlarm('TokenListNotLoaded', {
      description: 'The token list cannot be loaded: after 10 minutes nobody can write',
      metric: this.logs.tokenEvents('TokenListNotLoaded'),
      threshold: tokenListFailures,
    });
    this.addAlarm('AuthenticationOff', {
      description: 'The token list is empty, so that anyone may write',
      metric: this.logs.tokenEvents('AuthenticationOff'),
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

  private addDueWorkAlarm(): void {
    this.addAlarm('due-work-late', {
      description: `Due work, such as the expiry of an approval or the end of an acceptance, was done ${lateDueWork.toMinutes()} minutes late or more: the worker run-due-work failed, was not woken, or does not keep up; its log says which, and of which kind`,
      metric: this.logs.dueWorkDelay(),
      threshold: lateDueWork.toSeconds(),
    });
  }

  private addScanAlarms(): void {
    const { rescanHours } = this.settings;
    this.addAlarm('rescan-late', {
      description: `Scanning all approved versions again takes longer than the ${rescanHours} hours after which it shall begin anew: the worker rescan-packages fails, or does not keep up; its log says which`,
      metric: this.logs.rescanDelay(),
      threshold: 1,
    });
    this.addAlarm('attention-needed', {
      description:
        'The scans of approved versions failed, which were fine before; GET /api/v1/attention lists them all',
      metric: this.logs.attentionNeeded(),
      threshold: 1,
    });
  }

  private addEventAlarms(bus: RegistryEventBus): void {
    this.addAlarm('event-bus-failing', {
      description:
        'The pipe that brings events to the bus failed; it tries again, and its state in EventBridge says why. GET /api/v1/events has every event all the same',
      metric: this.sum(bus.failures(period), 'Failed executions'),
      threshold: 1,
    });
    this.addAlarm('event-dead-letters', {
      description:
        'Events were given up that could not be brought to the bus or to the webhook; their dead-letter queue says which until they are deleted there. GET /api/v1/events has every event all the same',
      metric: this.countWaiting(bus.deadLetters),
      threshold: 1,
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
      metric: this.countWaiting(deadLetters),
      threshold: 1,
    });
  }

  /** Not how many were sent: SQS counts none that it moves there by itself. */
  private countWaiting(queue: IQueue): Metric {
    return queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
  }

  /** What all of them count together. */
  private sum(metrics: readonly Metric[], label: string) {
    return sumMetrics(metrics, { label, period });
  }

  private addAlarm(id: string, rule: AlarmRule): void {
    addAlarm(this, id, { rule, channel: this.channel });
  }
}
