import { Annotations, Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Settings } from '../config.ts';

/** The SNS topics that alarms notify: one with an e-mail address, an existing one, or both. Without a topic, synthesis warns. */
export class AlarmChannel extends Construct {
  private readonly topics: readonly ITopic[];

  constructor(scope: Construct, id: string, { alarmEmail, alarmTopicArn, environment }: Settings) {
    super(scope, id);
    this.topics = [
      ...(alarmEmail === undefined ? [] : [this.makeTopic(alarmEmail)]),
      ...(alarmTopicArn === undefined ? [] : [Topic.fromTopicArn(this, 'Given', alarmTopicArn)]),
    ];
    if (this.topics.length === 0 && environment === 'production') {
      Annotations.of(this).addWarningV2(
        'package-registry:alarms-reach-nobody',
        'Alarms notify nobody: set alarmEmail or alarmTopicArn.',
      );
    }
  }

  /** Has the alarm notify the topics when it goes off and when it ends. */
  addActions(alarm: Alarm): void {
    for (const topic of this.topics) {
      const action = new SnsAction(topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  private makeTopic(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // The rule for TLS replaces the topic's default policy, by which alarms of the account could publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
