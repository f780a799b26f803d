import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tables } from '../../shared/api/resources.ts';
import { RegistryEvent } from '../../shared/api/schemas/event.ts';
import type { Settings } from '../config.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { InlinePolicyRole } from './inline-policy-role.ts';
import { Webhook } from './webhook.ts';

/** What the events on the bus say they are from. */
const source = 'package-registry';

/** As many as a bus takes at once. */
const batchSize = 10;

/** Well within the day that the stream keeps them. */
const triedFor = Duration.hours(12);

/** New events, and nothing else that is written to their table: they alone stand in partitions that begin so. */
const newEvents = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { [tables.events.partitionKey]: { S: FilterRule.beginsWith('e#') } } },
});

/** Where a record of the stream has a field of the event: all are text there, but its place. */
const pathTo = (field: string): string =>
  `$.dynamodb.NewImage.${field}.${field === 'sequence' ? 'N' : 'S'}`;

/** The event as JSON. What is put in for a path is text with its quotes. */
const template = `{${Object.keys(RegistryEvent.shape)
  .map((field) => `"${field}": <${pathTo(field)}>`)
  .join(', ')}}`;

/** How an execution of a pipe can fail. */
const failures = [
  'ExecutionFailed',
  'ExecutionPartiallyFailed',
  'ExecutionThrottled',
  'ExecutionTimeout',
];

interface RegistryEventBusProps {
  /** The table whose stream has every event as it comes. */
  readonly events: ITableV2;
  readonly settings: Settings;
}

/** Tells of every event on a bus, and, where there is one, to a webhook. */
export class RegistryEventBus extends Construct {
  /** Keeps what could not be delivered to the bus or the webhook. */
  readonly deadLetters: DeadLetterQueue;
  private readonly pipe: CfnPipe;

  constructor(scope: Construct, id: string, { events, settings }: RegistryEventBusProps) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', { description: `What happens in ${settings.stackName}` });
    new CfnOutput(this, 'Name', { value: bus.eventBusName }).overrideLogicalId('EventBusName');
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', 'EventDeadLetters');
    this.pipe = this.addPipe(events, bus);
    const { webhookUrl: url, webhookSecretArn: secretArn } = settings;
    if (url === undefined || secretArn === undefined) return;
    const { deadLetters } = this;
    new Webhook(this, 'Webhook', { bus, source, deadLetters, url, secretArn });
  }

  /** How often what brings events to the bus did not get through. */
  failures(period: Duration): readonly Metric[] {
    return failures.map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/EventBridge/Pipes',
          metricName,
          dimensionsMap: { PipeName: this.pipe.ref },
          statistic: Stats.SUM,
          period,
        }),
    );
  }

  /** Without a name of its own: the pipe is replaced when a restored table with another stream takes the place of this one. */
  private addPipe(events: ITableV2, bus: EventBus): CfnPipe {
    const role = this.addRole(events, bus, this.deadLetters);
    const pipe = new CfnPipe(this, 'Pipe', {
      description: 'Brings each event to the bus',
      roleArn: role.roleArn,
      source: events.tableStreamArn ?? '',
      sourceParameters: {
        filterCriteria: { filters: [newEvents] },
        dynamoDbStreamParameters: {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize,
          maximumRecordAgeInSeconds: triedFor.toSeconds(),
          // One that never gets through is given up alone. Until then, those behind it in its shard wait.
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          deadLetterConfig: { arn: this.deadLetters.queueArn },
        },
      },
      target: bus.eventBusArn,
      targetParameters: {
        inputTemplate: template,
        eventBridgeEventBusParameters: {
          source,
          detailType: pathTo('type'),
          time: pathTo('at'),
        },
      },
    });
    pipe.node.addDependency(role);
    return pipe;
  }

  private addRole(events: ITableV2, bus: EventBus, deadLetters: IQueue): InlinePolicyRole {
    const { account } = Stack.of(this);
    const role = new InlinePolicyRole(this, 'Role', {
      assumedBy: new ServicePrincipal('pipes.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    });
    events.grantStreamRead(role);
    role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    );
    role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
    );
    return role;
  }
}
