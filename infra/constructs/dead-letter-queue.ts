import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** A dead-letter queue that keeps messages for 14 days. The stack's output `…Url` has its address. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string, output: string) {
    super(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14) });
    acknowledge(this, { SQS3: 'It is a dead-letter queue itself.' });
    new CfnOutput(this, 'Url', { value: this.queueUrl }).overrideLogicalId(`${output}Url`);
  }
}
