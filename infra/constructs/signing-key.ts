import { CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  AccountRootPrincipal,
  ArnPrincipal,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { type SigningKeyAction, signingKeyEnv } from '../../shared/api/resources.ts';
import { signedEvents } from '../../shared/domain/attestations/decision-statement.ts';
import type { Settings } from '../config.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Lets only records of approvals and rejections pass. */
const decided = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { type: { S: FilterRule.or(...signedEvents) } } },
});

/** The actions that the account may allow to its roles. None of them signs, or lets others sign without a change of the policy. */
const administration = [
  ...['CancelKeyDeletion', 'CreateAlias', 'DeleteAlias', 'Describe*', 'DisableKey', 'EnableKey'],
  ...['Get*', 'List*', 'PutKeyPolicy', 'ScheduleKeyDeletion', 'TagResource', 'UntagResource'],
  ...['UpdateAlias', 'UpdateKeyDescription'],
].map((action) => `kms:${action}`);

/**
 * The key that signs decisions. Its policy names the worker: another role cannot sign, whatever its own policies allow. The stack
 * never deletes it. Without the public key, nobody can verify earlier statements; a deleted key cannot be restored.
 */
export class SigningKey extends Construct {
  /** The queue of batches of decisions that could not be signed in time. */
  readonly deadLetters: DeadLetterQueue;
  private readonly key: Key;

  constructor(scope: Construct, id: string, { stackName }: Settings) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: `${stackName}: signs decisions`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN,
      policy: new PolicyDocument({
        statements: [
          new PolicyStatement({
            sid: 'Administration',
            principals: [new AccountRootPrincipal()],
            actions: administration,
            resources: ['*'],
          }),
        ],
      }),
    });
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', 'SigningDeadLetters');
    new CfnOutput(this, 'Arn', {
      value: this.key.keyArn,
      description: 'The key that signs decisions',
    }).overrideLogicalId('SigningKeyArn');
  }

  /**
   * Grants the function these actions on the key, and sets the variable with its ARN. The key policy grants all to a role that
   * signs: the role then need not name the key, which names the role.
   */
  bind(target: RegistryFunction, actions: readonly SigningKeyAction[]): void {
    const granted = actions.map((action) => `kms:${action}`);
    if (actions.includes('Sign')) this.reserve(target, granted);
    else target.allow(granted, [this.key.keyArn]);
    target.setVariable(signingKeyEnv, this.key.keyArn);
  }

  private reserve({ roleArn }: RegistryFunction, actions: readonly string[]): void {
    this.key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Signing',
        principals: [new ArnPrincipal(roleArn)],
        actions: [...actions],
        resources: ['*'],
      }),
    );
  }

  /** Has the function sign each new decision. The stream retries while KMS is unavailable. */
  signBy(target: RegistryFunction, decisions: ITableV2): void {
    target.lambda.addEventSource(
      new DynamoEventSource(decisions, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 25,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        maxRecordAge: Duration.hours(12),
        onFailure: new SqsDlq(this.deadLetters),
        filters: [decided],
      }),
    );
  }
}
