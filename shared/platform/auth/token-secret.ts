import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Client of Secrets Manager, one for each function instance, so that connections are reused across requests. */
export const secretsManager = new SecretsManagerClient({
  maxAttempts: 2,
  retryMode: 'standard',
  // Without `throwOnRequestTimeout`, the SDK only warns about a slow request and continues to wait.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
});

/** Time limit for all attempts to read a secret, to the last byte. Nothing else ends a stalled response. */
const timeoutMs = 5000;

/** Returns a secret's current value. Rejects for a missing, deleted, binary, denied or throttled secret. */
export const readSecret = async (arn: string): Promise<string> => {
  const { SecretString: value } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' }),
    { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
  if (value === undefined) throw new Error('The secret holds no text');
  return value;
};
