import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { tokensSecretArn } from '../config/env.ts';

const client = new SecretsManagerClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000 },
});

/** The current value of the token secret. Rejects when it is missing, deleted, binary, denied or throttled. */
export const fetchTokenSecret = async (): Promise<string> => {
  const { SecretString: value } = await client.send(
    new GetSecretValueCommand({ SecretId: tokensSecretArn(), VersionStage: 'AWSCURRENT' }),
  );
  if (value === undefined) throw new Error('The token secret holds no text');
  return value;
};
