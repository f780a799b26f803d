/** Secret without a stack, for tests of code that reads or rotates a secret. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ApiError, answerError, parseCall } from '../api-call.ts';
import { answerJson, sendAnswer } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { listenOnLoopback } from '../loopback.ts';
import { secretArn } from '../template/names.ts';
import { openSecretStore } from './secret-store.ts';
import { createSecretsManager } from './secrets-manager.ts';

/** Running Secrets Manager with one secret. */
export interface RunningSecret {
  /** URL of the service, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  readonly arn: string;
  /** Runs an operation, such as `PutSecretValue`, without an HTTP request. */
  handle(operation: string, body?: JsonObject): Promise<JsonObject>;
  close(): Promise<void>;
}

const toApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('InternalServiceError', String(error), 500);

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
  const server = createServer(async (request, response) => {
    try {
      const { operation, body } = parseCall(request.headers, await buffer(request));
      const result = await manager.handle(operation, body);
      const headers = { 'content-type': 'application/x-amz-json-1.1' };
      sendAnswer(response, answerJson(200, result, headers));
    } catch (error) {
      sendAnswer(response, answerError(toApiError(error), 'secretsmanager'));
    }
  });
  const { url, close } = await listenOnLoopback(server, 0);
  return { endpoint: url, arn, handle, close };
};
