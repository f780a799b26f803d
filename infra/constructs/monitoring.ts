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
import { FetchedQuery } from './fetched-query.ts';
import { LogMetrics } from './log-metrics.ts';
import type { RegistryFunction } from './registry-function.ts';
import { maxReceiveCount, type QueuePair, type RegistryQueues } from './registry-queues.ts';
import type { RestApi } from './rest-api.ts';
import type { SharedLog } from './shared-log.ts';
import type { SigningKey } from './signing-key.ts';
import { TokenQuery } from './token-query.ts';
import { WorkerFaultsQuery } from './worker-faults.ts';

interface MonitoringProps {
  readonly api: RestApi;
  /** The log of the functions that answer requests. */
  readonly endpointsLog: SharedLog;
  /** The log of the workers. */
  readonly workersLog: SharedLog;
  /** The workers that a schedule invokes at least once an hour. */
  readonly scheduled: readonly RegistryFunction[];
  /** The workers that consume a table's stream. */
  readonly streamReaders: readonly RegistryFunction[];
  /** The tables by their ids. */
  readonly tables: Readonly<Record<string, ITableV2>>;
  readonly queues: RegistryQueues;
  readonly bus: RegistryEventBus;
  /** The key that signs decisions, if they are signed. */
  readonly signingKey: SigningKey | undefined;
  readonly settings: Settings;
}

const period = Duration.minutes(5);

/** The age of a stream record above which its consumer must be failing. */
const lateStream = Duration.minutes(30);

/** The delay of due work that triggers the alarm. Usually the worker takes one or two minutes. */
const lateDueWork = Duration.minutes(5);

/** The delay of a recall that triggers the alarm. OSV exports its list every 15 minutes, and the worker reads it every two. */
const lateRecall = Duration.minutes(25);

/** Failures to load the token list within five minutes that trigger the alarm. Single failures are normal. */
const tokenListFailures = 3;

/** The metrics from logs, the alarms, the saved queries and the dashboard. */
export class Monitoring extends Construct {
  private readonly channel: AlarmChannel;
  private readonly settings: Settings;
  private readonly logs: LogMetrics;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { api, endpointsLog, workersLog, queues, settings } = props;
    this.settings = settings;
    this.channel = new AlarmChannel(this, 'Channel', settings);
    const { stackName } = settings;
    this.logs = new LogMetrics(this, { namespace: stackName, period, endpointsLog, workersLog });
    this.addAnswerAlarms(api);
    this.addTokenAlarms();
    this.addThrottleAlarms(Object.values(props.tables));
    this.addWorkerAlarm();
    for (const worker of props.scheduled) this.addScheduleAlarm(worker);
    for (const worker of props.streamReaders) this.addStreamAlarm(worker);
    for (const [id, pair] of queues.all) this.addQueueAlarms(id, pair);
    this.addDueWorkAlarm();
    this.addScanAlarms();
    this.addRecallAlarms();
    this.addEventAlarms(props.bus);
    if (props.signingKey) this.addSigningAlarm(props.signingKey);
    if (settings.integrityDays > 0) this.addIntegrityAlarm();
    const queried = { stackName, log: endpointsLog };
    new TokenQuery(this, 'TokenQuery', queried);
    new FetchedQuery(this, 'FetchedQuery', queried);
    new WorkerFaultsQuery(this, 'WorkerFaultsQuery', { stackName, log: workersLog });
    if (settings.dashboard) {
      const { tables } = props;
      new Dashboard(this, 'Dashboard', { stackName, api, logs: this.logs, queues, tables });
    }
  }

  private addAnswerAlarms(api: RestApi): void {
    const { slowAnswerMs, requestSurge } = this.settings;
    this.addAlarm('ServerErrors', {
      description: 'The API returned a 5xx status',
      metric: api.serverErrors({ period, statistic: Stats.SUM }),
      threshold: 1,
    });
    this.addAlarm('ItemsFailed', {
      description: 'Items of a bulk request failed, though the request as a whole succeeded',
      metric: this.logs.itemsFailed(),
      threshold: 1,
    });
    this.addAlarm('SlowAnswers', {
      description: `The 99th percentile of the latency was ${slowAnswerMs} ms or more for 15 minutes`,
      metric: api.latency({ period, statistic: Stats.p(99) }),
      threshold: slowAnswerMs,
      evaluationPeriods: 3,
    });
    this.addAlarm('RequestSurge', {
      description: `The API received ${requestSurge} requests or more within 5 minutes; each has a price, and there is no limit by default`,
      metric: api.requests({ period, statistic: Stats.SUM }),
      threshold: requestSurge,
    });
  }

  /** Adds alarms on throttled requests to tables. The SDK retries them; until one succeeds, responses are slow or fail. */
  private addThrottleAlarms(tables: readonly ITableV2[]): void {
    for (const kind of ['Read', 'Write'] as const) {
      const metricName = `${kind}ThrottleEvents`;
      const metrics = tables.map((table) => table.metric(metricName, { statistic: Stats.SUM }));
      this.addAlarm(`${kind}sThrottled`, {
        description: `DynamoDB throttled ${kind.toLowerCase()} requests to a table: one of its partitions received too many`,
        metric: this.sum(metrics, 'Throttled'),
        threshold: 1,
      });
    }
  }

  private addTokenAlarms(): void {
    const { refusalBurst, oidcIssuer, oidcAudience } = this.settings;
    this.addAlarm('RefusalBurst', {
      description: `${refusalBurst} requests or more had no token or an invalid one, within 5 minutes`,
      metric: this.sum(
        [this.logs.problems('missing_token'), this.logs.problems('invalid_token')],
        'Requests without a valid token',
      ),
      threshold: refusalBurst,
    });
    this.addAlarm('TokenListNotLoaded', {
      description: 'The token list cannot be loaded; after 10 minutes the API accepts no writes',
      metric: this.logs.tokenEvents('TokenListNotLoaded'),
      threshold: tokenListFailures,
    });
    this.addAlarm('AuthenticationOff', {
      description: 'The token list is empty, so that everyone may write',
      metric: this.logs.tokenEvents('AuthenticationOff'),
      threshold: 1,
    });
    if (oidcIssuer === undefined && oidcAudience === undefined) return;
    this.addAlarm('IssuerKeysNotLoaded', {
      description:
        'The keys of an issuer cannot be loaded; after 10 minutes its ID tokens are refused',
      metric: this.logs.issuerFailures(),
      threshold: tokenListFailures,
    });
  }

  /** Adds the alarm on failed runs. Runs that never begin, for want of capacity, are for the alarms on schedules, streams and queues. */
  private addWorkerAlarm(): void {
    this.addAlarm('worker-faults', {
      description:
        'A worker failed, timed out, exceeded its memory, or its process ended; the saved query "Worker faults" of CloudWatch Logs Insights shows which one, and its last message',
      metric: this.logs.workerFaults(),
      threshold: 1,
    });
  }

  private addScheduleAlarm({ lambda, node }: RegistryFunction): void {
    this.addAlarm(`${node.id}-asleep`, {
      description: `The schedule has not invoked the worker ${node.id} for an hour: it has stopped, or has not started yet`,
      metric: lambda.metricInvocations({ period: Duration.hours(1), statistic: Stats.SUM }),
      threshold: 1,
      below: true,
    });
  }

  private addStreamAlarm({ lambda, node }: RegistryFunction): void {
    this.addAlarm(`${node.id}-late`, {
      description: `The worker ${node.id} is ${lateStream.toMinutes()} minutes behind its stream, which keeps records for 24 hours`,
      metric: lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      threshold: lateStream.toMilliseconds(),
    });
  }

  private addDueWorkAlarm(): void {
    this.addAlarm('due-work-late', {
      description: `Due work, such as the expiry of an approval or of a risk acceptance, was ${lateDueWork.toMinutes()} minutes late or more: the worker run-due-work failed, was not invoked, or does not keep up; its log shows the cause and the kind of work`,
      metric: this.logs.dueWorkDelay(),
      threshold: lateDueWork.toSeconds(),
    });
  }

  private addScanAlarms(): void {
    const { rescanHours } = this.settings;
    this.addAlarm('rescan-late', {
      description: `The rescan of all approved versions takes longer than ${rescanHours} hours, after which the next one begins: the worker rescan-packages fails, or does not keep up; its log shows the cause`,
      metric: this.logs.rescanDelay(),
      threshold: 1,
    });
    this.addAlarm('attention-needed', {
      description:
        'The scans of approved versions newly failed; GET /api/v1/attention lists the versions',
      metric: this.logs.attentionNeeded(),
      threshold: 1,
    });
  }

  private addIntegrityAlarm(): void {
    this.addAlarm('integrity-problems', {
      description:
        'The scheduled integrity check found derived data that differs from its sources; the log line integrity_checked of the worker check-integrity has examples',
      metric: this.logs.integrityProblems(),
      threshold: 1,
    });
  }

  private addRecallAlarms(): void {
    this.addAlarm('package-recalled', {
      description:
        'The registry recalled approved versions because of records of malware or removals upstream; GET /api/v1/recalls lists them',
      metric: this.logs.recallEvents('Recalled'),
      threshold: 1,
    });
    this.addAlarm('recall-held', {
      description:
        'Records of malware or removals upstream concern approved versions that the registry does not recall by itself, because they are too many or too old, or because a mirror removed them; GET /api/v1/held-recalls lists the records, and lines with the event recall_held in the log of the workers name the versions',
      metric: this.logs.recallEvents('RecallsHeld'),
      threshold: 1,
    });
    const minutes = lateRecall.toMinutes();
    this.addAlarm('recall-late', {
      description: `A version was served for ${minutes} minutes or more after a record of malware named it in OSV, or a record waits that long: the worker recall-packages failed, was not invoked, or does not keep up; its log shows the cause`,
      metric: this.logs.recallDelay(),
      threshold: minutes,
    });
  }

  private addEventAlarms(bus: RegistryEventBus): void {
    this.addAlarm('event-bus-failing', {
      description:
        'The pipe that sends events to the bus failed; it retries, and its state in EventBridge shows the cause. GET /api/v1/events still has every event',
      metric: this.sum(bus.failures(period), 'Failed executions'),
      threshold: 1,
    });
    this.addAlarm('event-dead-letters', {
      description:
        'Events could not be delivered to the bus or the webhook, and are in the dead-letter queue until someone deletes them there. GET /api/v1/events still has every event',
      metric: this.countWaiting(bus.deadLetters),
      threshold: 1,
    });
  }

  private addSigningAlarm({ deadLetters }: SigningKey): void {
    this.addAlarm('signing-dead-letters', {
      description:
        'Decisions could not be signed for 12 hours, and their places in the stream are in the dead-letter queue until someone deletes them there. The worker sign-decisions signs them if it is invoked with the number of an earlier event',
      metric: this.countWaiting(deadLetters),
      threshold: 1,
    });
  }

  private addQueueAlarms(id: string, { queue, deadLetters }: QueuePair): void {
    this.addAlarm(`${id}-queue-late`, {
      description: `A message of the queue ${id} is an hour old: the worker fails, or does not keep up`,
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: Stats.MAXIMUM }),
      threshold: Duration.hours(1).toSeconds(),
    });
    this.addAlarm(`${id}-dead-letters`, {
      description: `Messages of the queue ${id} failed ${maxReceiveCount} times, and are in its dead-letter queue until someone deletes them there`,
      metric: this.countWaiting(deadLetters),
      threshold: 1,
    });
  }

  /** Returns the number of messages in a queue. SQS does not count a message that it moves to a dead-letter queue as sent. */
  private countWaiting(queue: IQueue): Metric {
    return queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
  }

  /** Returns the sum of several counts. */
  private sum(metrics: readonly Metric[], label: string) {
    return sumMetrics(metrics, { label, period });
  }

  private addAlarm(id: string, rule: AlarmRule): void {
    addAlarm(this, id, { rule, channel: this.channel });
  }
}
