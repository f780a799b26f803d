import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryQueues } from './registry-queues.ts';

interface PackageScanningProps {
  readonly queues: RegistryQueues;
  /** The function that scans what was submitted. */
  readonly scanner: RegistryFunction;
  /** The function that scans again what was approved. */
  readonly rescanner: RegistryFunction;
}

/** Has submissions scanned as they come, and approved versions again and again. */
export class PackageScanning extends Construct {
  constructor(scope: Construct, id: string, { queues, scanner, rescanner }: PackageScanningProps) {
    super(scope, id);
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
