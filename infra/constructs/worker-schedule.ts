import type { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';

interface WorkerScheduleProps {
  readonly worker: RegistryFunction;
  readonly every: Duration;
  /** What the worker does, as the end of the rule's description. */
  readonly task: string;
  /** The event that the worker receives; that of EventBridge by default. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Invokes a worker at an interval. */
export class WorkerSchedule extends Construct {
  constructor(scope: Construct, id: string, { worker, every, task, event }: WorkerScheduleProps) {
    super(scope, id);
    // A failed run is not retried: the next one does its work.
    worker.lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'Schedule', {
      description: `Invokes the worker ${task}`,
      schedule: Schedule.rate(every),
      targets: [
        new LambdaFunction(worker.lambda, {
          retryAttempts: 0,
          ...(event && { event: RuleTargetInput.fromObject(event) }),
        }),
      ],
    });
  }
}
