import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import type { RegistryFunction } from './registry-function.ts';

/** New versions, and nothing else that is written to the table: its counters are of no ecosystem. */
const newVersions = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { ecosystem: { S: FilterRule.or(...ecosystems) } } },
});

interface NewVersionsProps {
  /** The table whose stream tells of submissions. */
  readonly packages: ITable;
  /** The function that puts what was submitted into the queues: the one reader of the stream. */
  readonly forwarder: RegistryFunction;
}

/** Has each new version put into the queues of what is done with it. */
export class NewVersions extends Construct {
  constructor(scope: Construct, id: string, { packages, forwarder }: NewVersionsProps) {
    super(scope, id);
    forwarder.lambda.addEventSource(
      new DynamoEventSource(packages, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        // A queue that takes nothing is waited for; what comes too late all the same is left to the clocks.
        maxRecordAge: Duration.hours(12),
        filters: [newVersions],
      }),
    );
  }
}
