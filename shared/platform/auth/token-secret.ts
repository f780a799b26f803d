import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** One client for each function instance; its connections outlive a request. */
export const secretsManager = new SecretsManagerClient({
  maxAttempts: 2,
  retryMode: 'standard',
  // Without the last setting the SDK only warns of a request that takes too long, and waits on.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
});

/** The longest that all attempts to read a secret may take, to the last byte: an answer that stalls has no other end. */
const timeoutMs = 5000;

/** Reads the current value of a secret. Rejects when it is missing, deleted, binary, denied or throttled. */
export const createSecretReader = (arn: string) => async (): Promise<string> => {
  const { SecretString: value } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' }),
    { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
  if (value === undefined) throw new Error('The token secret holds no text');
  return value;
};
