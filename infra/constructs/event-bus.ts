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
import { serviceName } from '../../shared/util/service-name.ts';
import type { Settings } from '../config.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { InlinePolicyRole } from './inline-policy-role.ts';
import { Webhook } from './webhook.ts';

/** The most events that one request to a bus may have. */
const batchSize = 10;

/** How long the pipe retries an event: well below the 24 hours that the stream keeps records. */
const maxRecordAge = Duration.hours(12);

/** Lets only new events pass: the partition keys of events, and of nothing else in the table, begin with `e#`. */
const newEvents = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { [tables.events.partitionKey]: { S: FilterRule.beginsWith('e#') } } },
});

/** Returns the JSON path of an event's field in a stream record. All fields are strings, except the sequence number. */
const pathTo = (field: string): string =>
  `$.dynamodb.NewImage.${field}.${field === 'sequence' ? 'N' : 'S'}`;

/** The event as JSON. EventBridge Pipes replaces each path by its value, with quotes. */
const template = `{${Object.keys(RegistryEvent.shape)
  .map((field) => `"${field}": <${pathTo(field)}>`)
  .join(', ')}}`;

/** The metrics of failed executions of a pipe. */
const failures = [
  'ExecutionFailed',
  'ExecutionPartiallyFailed',
  'ExecutionThrottled',
  'ExecutionTimeout',
];

interface RegistryEventBusProps {
  /** The table whose stream has each new event. */
  readonly events: ITableV2;
  readonly settings: Settings;
}

/** The EventBridge bus with every event of the registry, and the webhook that gets them, if one is set. */
export class RegistryEventBus extends Construct {
  /** The queue of events that could not be delivered to the bus or the webhook. */
  readonly deadLetters: DeadLetterQueue;
  private readonly pipe: CfnPipe;

  constructor(scope: Construct, id: string, { events, settings }: RegistryEventBusProps) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', { description: `Events of ${settings.stackName}` });
    new CfnOutput(this, 'Name', { value: bus.eventBusName }).overrideLogicalId('EventBusName');
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', 'EventDeadLetters');
    this.pipe = this.addPipe(events, bus);
    const { webhookUrl: url, webhookSecretArn: secretArn } = settings;
    if (url === undefined || secretArn === undefined) return;
    const { deadLetters } = this;
    new Webhook(this, 'Webhook', { bus, source: serviceName, deadLetters, url, secretArn });
  }

  /** Returns the metrics of failed deliveries from the pipe to the bus. */
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

  /** Adds the pipe from the table's stream to the bus. Without an explicit name, a restored table can replace the pipe. */
  private addPipe(events: ITableV2, bus: EventBus): CfnPipe {
    const role = this.addRole(events, bus, this.deadLetters);
    const pipe = new CfnPipe(this, 'Pipe', {
      description: 'Sends each event to the bus',
      roleArn: role.roleArn,
      source: events.tableStreamArn ?? '',
      sourceParameters: {
        filterCriteria: { filters: [newEvents] },
        dynamoDbStreamParameters: {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize,
          maximumRecordAgeInSeconds: maxRecordAge.toSeconds(),
          // An event that never gets through goes to the dead letters alone. Until then, later ones of its shard wait.
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          deadLetterConfig: { arn: this.deadLetters.queueArn },
        },
      },
      target: bus.eventBusArn,
      targetParameters: {
        inputTemplate: template,
        eventBridgeEventBusParameters: {
          source: serviceName,
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
