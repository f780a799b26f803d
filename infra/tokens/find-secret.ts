import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readRunningStack } from '../local/running-stack.ts';
import { readStackOutput } from '../stack-outputs.ts';
import { UsageError } from '../usage-error.ts';
import { TokenSecret } from './secret.ts';

/** The registry of a command: a stack, a secret, or by default the local data folder. */
export interface Target {
  readonly stack?: string | undefined;
  readonly 'secret-arn'?: string | undefined;
  readonly data: string;
}

/** The stack's output with the ARN of the secret. */
const outputName = 'TokensSecretArn';

const secretArn = /^arn:[^:]+:secretsmanager:(?<region>[^:]+):\d+:secret:\S+$/;

const openDeployed = (arn: string): TokenSecret => {
  const region = secretArn.exec(arn)?.groups?.['region'];
  if (!region) {
    throw new UsageError(
      `"${arn}" is not the ARN of a secret: use the stack's output ${outputName}.`,
    );
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
 * @throws {UsageError} for both a stack and a secret
 * @throws {Error} in one sentence, if the stack cannot be read
 */
export const findSecret = async ({
  stack,
  data,
  'secret-arn': arn,
}: Target): Promise<TokenSecret> => {
  if (stack !== undefined && arn !== undefined) {
    throw new UsageError('Pass --stack or --secret-arn, not both.');
  }
  if (arn !== undefined) return openDeployed(arn);
  return stack === undefined
    ? openLocal(data)
    : openDeployed(await readStackOutput(stack, outputName));
};
