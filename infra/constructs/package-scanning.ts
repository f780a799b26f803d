import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ecosystems } from '../../shared/domain/ecosystem.ts';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryQueues } from './registry-queues.ts';

interface PackageScanningProps {
  /** The table whose stream tells of submissions. */
  readonly packages: ITable;
  readonly queues: RegistryQueues;
  /** The function that puts what was submitted into the queues: the one reader of the stream. */
  readonly forwarder: RegistryFunction;
  /** The function that scans what was submitted. */
  readonly scanner: RegistryFunction;
  /** The function that scans again what was approved. */
  readonly rescanner: RegistryFunction;
}

/** New versions, and nothing else that is written to the table: its counters are of no ecosystem. */
const newVersions = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { ecosystem: { S: FilterRule.or(...ecosystems) } } },
});

/** Has submissions scanned as they come, and approved versions again and again. */
export class PackageScanning extends Construct {
  constructor(scope: Construct, id: string, props: PackageScanningProps) {
    super(scope, id);
    const { packages, queues, forwarder, scanner, rescanner } = props;
    forwarder.lambda.addEventSource(
      new DynamoEventSource(packages, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        // A queue that takes nothing is waited for; what comes too late all the same is left to the clock below.
        maxRecordAge: Duration.hours(12),
        filters: [newVersions],
      }),
    );
    queues.drive('scan', scanner);
    // A run that failed is left to the next one.
    rescanner.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Clock', {
      description: 'Wakes the worker that scans again',
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new LambdaFunction(rescanner.lambda, { retryAttempts: 0 })],
    });
  }
}
