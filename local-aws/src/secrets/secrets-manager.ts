/** Part of Secrets Manager that reads and rotates secrets. */
import { ApiError } from '../api-call.ts';
import type { JsonObject } from '../json.ts';
import { secretArn } from '../template/names.ts';
import { reads, writes } from './secret-operations.ts';
import type { SecretStore, StoredSecret } from './secret-store.ts';
import { dropOldVersions } from './secret-versions.ts';

export interface SecretsManager {
  /** Resolves to the result of a call. @throws {ApiError} with AWS's error */
  handle(operation: string, body: JsonObject): Promise<JsonObject>;
  /** Returns the ARN to check permissions on, also for an unknown secret. */
  findArn(secretId: unknown): string;
}

/** True if `id` is the secret's ARN, its ARN without the six random characters, or its name. */
const isNamed = ({ arn, name }: StoredSecret, id: string): boolean =>
  [arn, name, arn.replace(/-[A-Za-z0-9]{6}$/, '')].includes(id);

export const createSecretsManager = (store: SecretStore): SecretsManager => {
  const find = (id: unknown): StoredSecret | undefined =>
    store.secrets.find((secret) => isNamed(secret, String(id)));

  return {
    findArn: (id) =>
      find(id)?.arn ?? (String(id).startsWith('arn:') ? String(id) : secretArn(String(id))),
    handle: async (operation, body) => {
      const run = reads[operation] ?? writes[operation];
      if (run === undefined) {
        throw new ApiError('UnknownOperationException', `secretsmanager.${operation}`);
      }
      const secret = find(body['SecretId']);
      if (secret === undefined) {
        throw new ApiError(
          'ResourceNotFoundException',
          "Secrets Manager can't find the specified secret.",
        );
      }
      const result = run(secret, body);
      if (operation in writes) {
        secret.changedAt = Date.now();
        dropOldVersions(secret);
        await store.save();
      }
      return result;
    },
  };
};
