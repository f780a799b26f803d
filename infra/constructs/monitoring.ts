import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { ProblemCode } from '../../shared/domain/errors.ts';
import type { Settings } from '../config.ts';
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
  readonly queues: RegistryQueues;
  readonly settings: Settings;
}

interface AlarmRule {
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly evaluationPeriods?: number;
}

const period = Duration.minutes(5);

/** Fetches of the token list fail now and then; this many in five minutes are no accident. */
const tokenListFailures = 3;

/** A line of the log about one kind of event. */
const isEvent = (name: string): JsonPattern => FilterPattern.stringValue('$.event', '=', name);

/** Metrics that the log is counted for, and alarms on what callers and operators must know. */
export class Monitoring extends Construct {
  private readonly topic: Topic | undefined;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { api, endpointsLog, workers, queues, settings } = props;
    this.settings = settings;
    this.topic = settings.alarmEmail ? this.topicFor(settings.alarmEmail) : undefined;
    this.countProblems(endpointsLog);
    this.countTokenEvents(endpointsLog);
    this.addAnswerAlarms(api);
    this.addTokenAlarms();
    for (const worker of workers) this.addWorkerAlarm(worker);
    for (const [id, pair] of queues.all) this.addQueueAlarms(id, pair);
  }

  private addAnswerAlarms(api: RestApi): void {
    const { slowAnswerMs } = this.settings;
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
  }

  private addTokenAlarms(): void {
    const { refusalBurst } = this.settings;
    this.addAlarm('RefusalBurst', {
      description: `${refusalBurst} requests or more had no token or a wrong one, within 5 minutes`,
      metric: new MathExpression({
        expression: 'FILL(missing, 0) + FILL(invalid, 0)',
        usingMetrics: {
          missing: this.problems('missing_token'),
          invalid: this.problems('invalid_token'),
        },
        label: 'Refused tokens',
        period,
      }),
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
    this.addAlarm(`${worker.node.id}-errors`, {
      description: `The worker ${worker.node.id} failed`,
      metric: worker.lambda.metricErrors({ period, statistic: Stats.SUM }),
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

  private addAlarm(id: string, { description, evaluationPeriods = 1, ...rule }: AlarmRule): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: description,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      evaluationPeriods,
      ...rule,
    });
    if (this.topic) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private topicFor(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // The rule for TLS replaces the topic's default policy, by which alarms could publish.
    topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com'));
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
