import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** Keeps what failed as often as may be, for 14 days. The output of the stack that names it is `…Url`. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, output: string) {
    super(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14) });
    acknowledge(this, { SQS3: 'It is itself where what failed ends up.' });
    new CfnOutput(this, 'Url', { value: this.queueUrl }).overrideLogicalId(`${output}Url`);
  }
}
