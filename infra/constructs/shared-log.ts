import { CfnOutput } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/** One log group for several functions, and thus one set of metrics. */
export class SharedLog extends Construct {
  readonly group: LogGroup;

  /** Adds the log group, and the stack's output `<id>GroupName` with its name. */
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.group = new LogGroup(this, 'Log', {
      retention: settings.logRetentionDays as RetentionDays,
      removalPolicy: chooseRemovalPolicy(settings),
    });
    new CfnOutput(this, 'Name', { value: this.group.logGroupName }).overrideLogicalId(
      `${id}GroupName`,
    );
  }
}
