import type { Stack } from 'aws-cdk-lib';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { InlinePolicyRole } from './inline-policy-role.ts';

const reads = ['Decrypt'];
const writes = ['Decrypt', 'GenerateDataKey'];
const tableReads = ['Decrypt', 'DescribeKey'];
const tableWrites = [...tableReads, 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'];

/**
 * The actions on the key that a service takes in the name of a role, by the action of the role. Logs, the event bus and the
 * topic need none: the policy of the key names their services.
 * Source: the pages of AWS on encryption at rest of DynamoDB, SQS and Secrets Manager.
 */
const keyActions: Readonly<Record<string, readonly string[]>> = {
  'dynamodb:BatchGetItem': tableReads,
  'dynamodb:ConditionCheckItem': tableReads,
  'dynamodb:GetItem': tableReads,
  'dynamodb:GetRecords': tableReads,
  'dynamodb:Query': tableReads,
  'dynamodb:Scan': tableReads,
  'dynamodb:BatchWriteItem': tableWrites,
  'dynamodb:DeleteItem': tableWrites,
  'dynamodb:PutItem': tableWrites,
  'dynamodb:UpdateItem': tableWrites,
  'secretsmanager:GetSecretValue': reads,
  'secretsmanager:PutSecretValue': writes,
  'sqs:ReceiveMessage': reads,
  'sqs:SendMessage': writes,
};

/** Sets the key of a resource that stores data. Other resources stay as they are. */
const encrypt = (construct: IConstruct, keyArn: string): void => {
  if (construct instanceof CfnQueue) construct.kmsMasterKeyId = keyArn;
  if (construct instanceof CfnTopic) construct.kmsMasterKeyId = keyArn;
  if (construct instanceof CfnLogGroup) construct.kmsKeyId = keyArn;
  if (construct instanceof CfnSecret) construct.kmsKeyId = keyArn;
  if (construct instanceof CfnEventBus) construct.kmsKeyIdentifier = keyArn;
  if (construct instanceof CfnGlobalTable) {
    construct.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
    construct.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: keyArn });
  }
};

/** Grants a role the use of the key by those services whose encrypted resources it may use. */
const grantKey = (role: InlinePolicyRole, keyArn: string, region: string): void => {
  const used = role.actions.filter((action) => Object.hasOwn(keyActions, action));
  for (const [service, actions] of Map.groupBy(used, (action) => action.split(':')[0])) {
    const allowed = new Set(actions.flatMap((action) => keyActions[action] ?? []));
    role.addToPolicy(
      new PolicyStatement({
        actions: [...allowed].toSorted().map((action) => `kms:${action}`),
        resources: [keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` } },
      }),
    );
  }
};

/**
 * Encrypts tables, queues, logs, the token list, the event bus and the topic of alarms with one key of the account, and grants
 * each role the use of that key. Call it last: it covers what the stack has then. The policy of the key is the owner's.
 */
export const encryptWithCustomerKey = (stack: Stack, keyArn: string): void => {
  const constructs = stack.node.findAll();
  for (const construct of constructs) encrypt(construct, keyArn);
  for (const construct of constructs) {
    if (construct instanceof InlinePolicyRole) grantKey(construct, keyArn, stack.region);
  }
};
