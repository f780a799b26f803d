import { CfnOutput } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretAction, tokensEnv } from '../../shared/api/resources.ts';
import { generatedTokenLength } from '../../shared/platform/auth/rotated-list.ts';
import type { Settings } from '../config.ts';
import { findBackupRegion } from '../setting-groups/backups.ts';
import { acknowledge } from './acknowledge.ts';
import type { RegistryFunction } from './registry-function.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/** The secret with the list of accepted tokens. It starts with a random token, so that a new deployment is protected. */
export class TokenSecret extends Construct {
  private readonly secret: Secret;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.settings = settings;
    const backupRegion = findBackupRegion(settings);
    const { backupKeyArn } = settings;
    const backupKey = backupKeyArn && Key.fromKeyArn(this, 'BackupKey', backupKeyArn);
    this.secret = new Secret(this, 'Secret', {
      description: `${settings.stackName}: accepted API tokens, comma-separated`,
      // A change here makes a new value on deployment, which revokes every token.
      generateSecretString: { passwordLength: generatedTokenLength, excludePunctuation: true },
      // The tokens of clients survive the region, as the tables do.
      ...(backupRegion !== undefined && {
        replicaRegions: [{ region: backupRegion, ...(backupKey && { encryptionKey: backupKey }) }],
      }),
      removalPolicy: chooseRemovalPolicy(settings),
    });
    acknowledge(this.secret, {
      SMG4: 'Rotation is a setting, off by default, because clients must be ready for it.',
    });
  }

  /** Grants the function these actions on the secret, and sets the variable with its ARN. */
  bind(target: RegistryFunction, actions: readonly SecretAction[]): void {
    for (const action of actions) {
      target.allow([`secretsmanager:${action}`], [this.secret.secretArn]);
    }
    target.setVariable(tokensEnv, this.secret.secretArn);
  }

  /** Has Secrets Manager rotate the list by this function, if `rotationDays` is set. */
  rotateBy(target: RegistryFunction): void {
    const { rotationDays } = this.settings;
    if (rotationDays === undefined) return;
    const permission = target.allowInvocationBy(
      'secretsmanager.amazonaws.com',
      this.secret.secretArn,
    );
    new CfnRotationSchedule(this, 'Rotation', {
      secretId: this.secret.secretArn,
      rotationLambdaArn: target.lambda.functionArn,
      rotationRules: { automaticallyAfterDays: rotationDays },
      // Otherwise the deployment itself would rotate, and revoke a token that clients still use.
      rotateImmediatelyOnUpdate: false,
    }).node.addDependency(permission);
  }

  /** Adds the secret's ARN and a command that reads the first token to the outputs of the stack. */
  addOutputs(): void {
    new CfnOutput(this, 'Arn', {
      value: this.secret.secretArn,
      description: 'The secret with the comma-separated list of accepted tokens',
    }).overrideLogicalId('TokensSecretArn');
    new CfnOutput(this, 'FirstToken', {
      value: `aws secretsmanager get-secret-value --secret-id ${this.secret.secretArn} --query SecretString --output text | cut -d, -f1 | cut -d\\; -f1 | rev | cut -d: -f1 | rev`,
      description: 'The command that reads the first token',
    }).overrideLogicalId('FirstTokenCommand');
  }
}
