import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';

/** Has what is due be done, every minute. */
export class ReviewClock extends Construct {
  constructor(scope: Construct, id: string, worker: RegistryFunction) {
    super(scope, id);
    // A run that failed is left to the next one.
    worker.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Clock', {
      description: 'Wakes the worker that does what is due',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(worker.lambda, { retryAttempts: 0 })],
    });
  }
}
