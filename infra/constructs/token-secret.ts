import { CfnOutput } from 'aws-cdk-lib';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretAction, tokensEnv } from '../../shared/api/resources.ts';
import { generatedTokenLength } from '../../shared/platform/auth/rotated-list.ts';
import { chooseRemovalPolicy, type Settings } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import type { RegistryFunction } from './registry-function.ts';

/** The list of accepted tokens. A new one holds a strong random token, so that a fresh deployment is closed. */
export class TokenSecret extends Construct {
  private readonly secret: Secret;
  private readonly settings: Settings;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.settings = settings;
    this.secret = new Secret(this, 'Secret', {
      description: `${settings.stackName}: accepted API tokens, comma-separated`,
      // Changing any of this makes a new value on deploy, which would revoke every token.
      generateSecretString: { passwordLength: generatedTokenLength, excludePunctuation: true },
      removalPolicy: chooseRemovalPolicy(settings),
    });
    acknowledge(this.secret, {
      SMG4: 'Rotation is a setting, and off by default: clients have to be ready for it.',
    });
  }

  /** Lets the function do these actions on the secret, and tells it where it is. */
  bind(target: RegistryFunction, actions: readonly SecretAction[]): void {
    for (const action of actions) {
      target.allow([`secretsmanager:${action}`], [this.secret.secretArn]);
    }
    target.tell(tokensEnv, this.secret.secretArn);
  }

  /** Lets Secrets Manager rotate the list by this function: every so many days, if the settings say so. */
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
      // Otherwise the deployment itself would rotate, and drop a token that clients still use.
      rotateImmediatelyOnUpdate: false,
    }).node.addDependency(permission);
  }

  addOutputs(): void {
    new CfnOutput(this, 'Arn', {
      value: this.secret.secretArn,
      description: 'The secret with the comma-separated list of accepted tokens',
    }).overrideLogicalId('TokensSecretArn');
    new CfnOutput(this, 'FirstToken', {
      value: `aws secretsmanager get-secret-value --secret-id ${this.secret.secretArn} --query SecretString --output text | cut -d, -f1 | rev | cut -d: -f1 | rev`,
      description: 'The command that reads the first token',
    }).overrideLogicalId('FirstTokenCommand');
  }
}
