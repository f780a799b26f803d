import { secretsManager } from '../../shared/platform/auth/token-secret.ts';

/** Sets the endpoint for secrets in this process. Otherwise the client keeps the endpoint of its first call. */
export const pointSecretsAt = (endpoint: string, client = secretsManager): void => {
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
