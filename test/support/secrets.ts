import type { KMSClient } from '@aws-sdk/client-kms';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretsManager } from '../../shared/platform/auth/token-secret.ts';
import { kms } from '../../shared/platform/signing/signing-key.ts';

/** Sets the endpoint of a client in this process. Otherwise the client keeps the endpoint of its first call. */
const pointClientAt = (endpoint: string, client: SecretsManagerClient | KMSClient): void => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const { protocol, hostname, port } = new URL(endpoint);
  client.config.endpoint = () =>
    Promise.resolve({ protocol, hostname, port: Number(port), path: '/' });
  client.config.isCustomEndpoint = true;
};

/** Sets the endpoint for secrets in this process. */
export const pointSecretsAt = (endpoint: string, client = secretsManager): void =>
  pointClientAt(endpoint, client);

/** Sets the endpoint for signing keys in this process. */
export const pointKeysAt = (endpoint: string): void => pointClientAt(endpoint, kms);
