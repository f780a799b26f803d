import { CfnOutput } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { chooseRemovalPolicy, type Settings } from '../config.ts';

/** The log of several functions: one group and one set of metrics for all of them. */
export class SharedLog extends Construct {
  readonly group: LogGroup;

  /** The output of the stack that names it is its id and `LogGroupName`. */
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
