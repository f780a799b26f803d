import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Lets only new versions pass: the table's other items, such as counters, have no ecosystem. */
const newVersions = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { ecosystem: { S: FilterRule.or(...ecosystems) } } },
});

interface NewVersionsProps {
  /** The table of submitted versions. Its stream drives the function. */
  readonly packages: ITable;
  /** The function that sends each new version to the queues. It is the only consumer of the stream. */
  readonly forwarder: RegistryFunction;
}

/** Has a function send each new version to the queues for scans and upstream metadata. */
export class NewVersions extends Construct {
  constructor(scope: Construct, id: string, { packages, forwarder }: NewVersionsProps) {
    super(scope, id);
    forwarder.lambda.addEventSource(
      new DynamoEventSource(packages, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        // The stream retries while a queue is unavailable. The scheduled workers find the versions that it skips.
        maxRecordAge: Duration.hours(12),
        filters: [newVersions],
      }),
    );
  }
}
