import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';

/** Invokes the worker for due work every minute. */
export class DueWorkSchedule extends Construct {
  constructor(scope: Construct, id: string, worker: RegistryFunction) {
    super(scope, id);
    // A failed run is not retried: the next one does its work.
    worker.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Schedule', {
      description: 'Invokes the worker for due work',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(worker.lambda, { retryAttempts: 0 })],
    });
  }
}
