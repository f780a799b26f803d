import { execFileSync } from 'node:child_process';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readRunningStack } from '../local/running-stack.ts';
import { TokenSecret } from './secret.ts';
import { UsageError } from './usage-error.ts';

/** Which registry is meant; the local one of a data folder unless another is. */
export interface Target {
  readonly stack?: string | undefined;
  readonly 'secret-arn'?: string | undefined;
  readonly data: string;
}

/** The output of the stack, and of its local run, that names the secret. */
const outputName = 'TokensSecretArn';

/** @throws {Error} if the AWS CLI cannot tell */
const readStackOutput = (stack: string): string => {
  const query = `Stacks[0].Outputs[?OutputKey=='${outputName}'].OutputValue`;
  const args = ['cloudformation', 'describe-stacks', '--stack-name', stack];
  try {
    const said = execFileSync('aws', [...args, '--query', query, '--output', 'text'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return said.trim();
  } catch {
    throw new Error(
      `The AWS CLI does not tell the outputs of the stack ${stack}. Without it, give --secret-arn.`,
    );
  }
};

const secretArn = /^arn:[^:]+:secretsmanager:(?<region>[^:]+):\d+:secret:\S+$/;

const openDeployed = (arn: string): TokenSecret => {
  const region = secretArn.exec(arn)?.groups?.['region'];
  if (!region) {
    throw new UsageError(`"${arn}" is no ARN of a secret: it is the stack's output ${outputName}.`);
  }
  return new TokenSecret(new SecretsManagerClient({ region }), arn);
};

const openLocal = (folder: string): TokenSecret => {
  const { aws, outputs } = readRunningStack(folder);
  const { endpoint, credentials } = aws;
  const client = new SecretsManagerClient({ endpoint, credentials, region: 'local' });
  return new TokenSecret(client, outputs[outputName] ?? '');
};

/**
 * Finds the secret with the token list of a registry.
 * @throws {UsageError} if two are named
 */
export const findSecret = ({ stack, data, 'secret-arn': arn }: Target): TokenSecret => {
  if (stack !== undefined && arn !== undefined) {
    throw new UsageError('Give --stack or --secret-arn, not both.');
  }
  if (arn !== undefined) return openDeployed(arn);
  return stack === undefined ? openLocal(data) : openDeployed(readStackOutput(stack));
};
