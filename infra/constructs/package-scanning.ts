import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryQueues } from './registry-queues.ts';

interface PackageScanningProps {
  readonly queues: RegistryQueues;
  /** The function that scans submitted versions. */
  readonly scanner: RegistryFunction;
  /** The function that rescans approved versions. */
  readonly rescanner: RegistryFunction;
}

/** Has workers scan each submitted version, and rescan approved versions on a schedule. */
export class PackageScanning extends Construct {
  constructor(scope: Construct, id: string, { queues, scanner, rescanner }: PackageScanningProps) {
    super(scope, id);
    queues.addConsumer('scan', scanner);
    // A failed run is not retried: the next one does its work.
    rescanner.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Schedule', {
      description: 'Invokes the worker that rescans approved versions',
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new LambdaFunction(rescanner.lambda, { retryAttempts: 0 })],
    });
  }
}
