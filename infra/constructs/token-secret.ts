import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { requireTokensEnv, tokensEnv } from '../../shared/resources.ts';
import type { Settings } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Letters and digits alone: 43 of them hold 256 bits. */
const tokenLength = 43;

/** The list of accepted tokens. A new one holds a strong random token, so that a fresh deployment is closed. */
export class TokenSecret extends Construct {
  private readonly secret: Secret;
  private readonly required: boolean;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.required = settings.requireTokens;
    this.secret = new Secret(this, 'Secret', {
      description: `${settings.stackName}: accepted API tokens, comma-separated`,
      // Changing any of this makes a new value on deploy, which would revoke every token.
      generateSecretString: { passwordLength: tokenLength, excludePunctuation: true },
      removalPolicy:
        settings.environment === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledge(this.secret, {
      SMG4: 'Ops rotate the list by hand, with an overlap that fits their clients.',
    });
  }

  /** Lets the function read the list, and tells it where it is and whether it may be empty. */
  bind(target: RegistryFunction): void {
    target.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
    target.tell(tokensEnv, this.secret.secretArn);
    target.tell(requireTokensEnv, String(this.required));
  }

  addOutputs(): void {
    new CfnOutput(this, 'Arn', {
      value: this.secret.secretArn,
      description: 'The secret with the comma-separated list of accepted tokens',
    }).overrideLogicalId('TokensSecretArn');
    new CfnOutput(this, 'FirstToken', {
      value: `aws secretsmanager get-secret-value --secret-id ${this.secret.secretArn} --query SecretString --output text | cut -d, -f1`,
      description: 'The command that reads the first token',
    }).overrideLogicalId('FirstTokenCommand');
  }
}
