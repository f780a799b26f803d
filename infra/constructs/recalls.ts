import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';

interface RecallsProps {
  readonly worker: RegistryFunction;
  readonly everyMinutes: number;
}

/** Invokes the worker that recalls malicious versions on a schedule. */
export class Recalls extends Construct {
  constructor(scope: Construct, id: string, { worker, everyMinutes }: RecallsProps) {
    super(scope, id);
    // A failed run is not retried: the next one does its work.
    worker.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Schedule', {
      description: 'Invokes the worker that recalls malicious versions',
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(worker.lambda, { retryAttempts: 0 })],
    });
  }
}
