import { Duration } from 'aws-cdk-lib';
import { Alarm, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import type { RestApi } from './rest-api.ts';

interface MonitoringProps {
  readonly api: RestApi;
  readonly settings: Settings;
}

interface AlarmRule {
  readonly description: string;
  readonly metric: Metric;
  readonly threshold: number;
  readonly evaluationPeriods: number;
}

const period = Duration.minutes(5);

/** Alarms on what callers notice, and the topic that tells whoever asked to be told. */
export class Monitoring extends Construct {
  private readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, { api, settings }: MonitoringProps) {
    super(scope, id);
    this.topic = settings.alarmEmail ? this.topicFor(settings.alarmEmail) : undefined;
    this.addAlarm('ServerErrors', {
      description: 'The registry answered with a 5xx status',
      metric: api.serverErrors({ period, statistic: Stats.SUM }),
      threshold: 1,
      evaluationPeriods: 1,
    });
    this.addAlarm('SlowAnswers', {
      description: `One answer in a hundred took ${settings.slowAnswerMs} ms or more, for 15 minutes`,
      metric: api.latency({ period, statistic: Stats.p(99) }),
      threshold: settings.slowAnswerMs,
      evaluationPeriods: 3,
    });
  }

  addAlarm(id: string, { description, ...rule }: AlarmRule): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: description,
      treatMissingData: TreatMissingData.NOT_BREACHING,
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
