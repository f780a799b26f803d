/** Secret without a stack, for tests of code that reads or rotates a secret. */
import type { JsonObject } from '../json.ts';
import { type RunningService, startService } from '../start-service.ts';
import { secretArn } from '../template/names.ts';
import { openSecretStore } from './secret-store.ts';
import { createSecretsManager } from './secrets-manager.ts';

/** Running Secrets Manager with one secret. */
export interface RunningSecret extends RunningService {
  readonly arn: string;
  /** Runs an operation, such as `PutSecretValue`, without an HTTP request. */
  handle(operation: string, body?: JsonObject): Promise<JsonObject>;
}

/**
 * Starts a Secrets Manager with one secret.
 * @param value first value of the secret; absent: the secret has no value
 */
export const startSecret = async (value?: string): Promise<RunningSecret> => {
  const store = await openSecretStore(undefined);
  const manager = createSecretsManager(store);
  const arn = secretArn('secret');
  const now = Date.now();
  store.add({ name: 'secret', arn, versions: {}, createdAt: now, changedAt: now });
  const handle: RunningSecret['handle'] = (operation, body = {}) =>
    manager.handle(operation, { SecretId: arn, ...body });
  if (value !== undefined) await handle('PutSecretValue', { SecretString: value });
  const service = await startService('secretsmanager', (operation, body) =>
    manager.handle(operation, body),
  );
  return { ...service, arn, handle };
};
