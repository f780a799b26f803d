import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ecosystems } from '../../shared/domain/ecosystem.ts';
import { toOsvPackage } from '../../shared/osv/ecosystems.ts';
import { acknowledge } from './acknowledge.ts';
import type { RegistryFunction } from './registry-function.ts';

interface PackageScanningProps {
  /** The table whose stream tells of submissions. */
  readonly packages: ITable;
  /** The function that scans what was submitted. */
  readonly scanner: RegistryFunction;
  /** The function that scans again what was approved. */
  readonly rescanner: RegistryFunction;
}

const scannedEcosystems = ecosystems.filter(
  (ecosystem) => toOsvPackage({ ecosystem, name: '', version: '' }) !== undefined,
);

/** New versions of the ecosystems that OSV.dev covers, and nothing else that is written to the table. */
const submissions = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { ecosystem: { S: FilterRule.or(...scannedEcosystems) } } },
});

/** Has submissions scanned as they come, and approved versions again and again. */
export class PackageScanning extends Construct {
  /** What could not be scanned after all attempts. */
  readonly givenUp: Queue;

  constructor(scope: Construct, id: string, props: PackageScanningProps) {
    super(scope, id);
    const { packages, scanner, rescanner } = props;
    this.givenUp = new Queue(this, 'GivenUp', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.givenUp, { SQS3: 'It is itself where what failed ends up.' });
    scanner.lambda.addEventSource(
      new DynamoEventSource(packages, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 25,
        reportBatchItemFailures: true,
        // A short fault passes; what lasts longer is left to the clock below, so that later submissions get through.
        retryAttempts: 3,
        maxRecordAge: Duration.hours(12),
        filters: [submissions],
        onFailure: new SqsDlq(this.givenUp),
      }),
    );
    // A run that failed is left to the next one.
    rescanner.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Clock', {
      description: 'Wakes the worker that scans again',
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new LambdaFunction(rescanner.lambda, { retryAttempts: 0 })],
    });
  }
}
