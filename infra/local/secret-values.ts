/** Puts the template's secrets in place. */
import type { SecretStore } from './aws/secret-store.ts';
import { current, versionWith } from './aws/secret-versions.ts';
import type { SecretsManager } from './aws/secrets-manager.ts';
import { StartError } from './start-error.ts';
import type { Secret } from './template/model.ts';

/** A secret cannot be empty; a lone comma is a list without entries. */
const emptyList = ',';

/** Whoever calls reads and writes the text of secrets by logical id, without regard to permissions. */
export interface SecretValues {
  /** The current value. */
  get(id: string): Promise<string>;
  /** Makes a new version the current one. */
  put(id: string, value: string): Promise<void>;
}

export function secretValues(
  secrets: Readonly<Record<string, Secret>>,
  manager: SecretsManager,
): SecretValues {
  const arnOf = (id: string): string => {
    const secret = secrets[id];
    if (secret === undefined) throw new Error(`no secret ${id} in the stack`);
    return secret.arn;
  };
  return {
    get: async (id) => {
      const { SecretString } = await manager.handle('GetSecretValue', { SecretId: arnOf(id) });
      return String(SecretString);
    },
    put: async (id, value) => {
      await manager.handle('PutSecretValue', { SecretId: arnOf(id), SecretString: value });
    },
  };
}

function addMissing(store: SecretStore, { name, arn }: Secret): void {
  if (store.secrets.some((stored) => stored.arn === arn)) return;
  const now = Date.now();
  store.add({ name, arn, versions: {}, createdAt: now, changedAt: now });
}

/**
 * Gives each secret that has none its first value: the template's own, else an empty list.
 * @param value for the stack's only secret, in place of what it holds
 * @throws {StartError} when a value is given and the stack has not exactly one secret
 */
export async function prepareSecrets(
  secrets: readonly Secret[],
  { store, values }: { readonly store: SecretStore; readonly values: SecretValues },
  value?: string,
): Promise<void> {
  if (value !== undefined && secrets.length !== 1) {
    throw new StartError(`the stack has ${secrets.length} secrets, so one value fits none`);
  }
  for (const secret of secrets) {
    addMissing(store, secret);
    const stored = store.secrets.find(({ arn }) => arn === secret.arn);
    const hasValue = stored !== undefined && versionWith(stored, current) !== undefined;
    if (!hasValue) await values.put(secret.id, value ?? secret.initialValue ?? emptyList);
    else if (value !== undefined && (await values.get(secret.id)) !== value) {
      await values.put(secret.id, value);
    }
  }
}
