/** Puts the template's secrets in place. */
import { StartError } from '../start-error.ts';
import type { Secret } from '../template/model.ts';
import { generateSecret } from './generate-secret.ts';
import type { SecretStore } from './secret-store.ts';
import { current, findVersion } from './secret-versions.ts';
import type { SecretsManager } from './secrets-manager.ts';

/** The text of secrets by logical id, to read and write without regard to permissions. */
export interface SecretValues {
  /** The current value. @throws {ApiError} when there is none */
  get(id: string): Promise<string>;
  /** Makes a new version the current one. */
  put(id: string, value: string): Promise<void>;
}

export const createSecretValues = (
  secrets: Readonly<Record<string, Secret>>,
  manager: SecretsManager,
): SecretValues => {
  const getArn = (id: string): string => {
    const secret = secrets[id];
    if (secret === undefined) throw new Error(`no secret ${id} in the stack`);
    return secret.arn;
  };
  return {
    get: async (id) => {
      const { SecretString } = await manager.handle('GetSecretValue', { SecretId: getArn(id) });
      return String(SecretString);
    },
    put: async (id, value) => {
      await manager.handle('PutSecretValue', { SecretId: getArn(id), SecretString: value });
    },
  };
};

const addMissing = (store: SecretStore, { name, arn }: Secret): void => {
  if (store.secrets.some((stored) => stored.arn === arn)) return;
  const now = Date.now();
  store.add({ name, arn, versions: {}, createdAt: now, changedAt: now });
};

export interface GivenValues {
  /** What the stack's only secret holds from now on; absent: what it held before. */
  readonly secretValue?: string;
  /** What a secret starts with whose template has no text for it; absent: what the template's rules make up. */
  readonly initialSecretValue?: string;
}

interface Secrets {
  readonly store: SecretStore;
  readonly values: SecretValues;
}

const findCurrentValue = (store: SecretStore, { arn }: Secret) => {
  const stored = store.secrets.find((candidate) => candidate.arn === arn);
  return stored && findVersion(stored, current);
};

const chooseFirstValue = (
  { initialValue, generation }: Secret,
  { secretValue, initialSecretValue }: GivenValues,
): string | undefined =>
  secretValue ??
  initialValue ??
  initialSecretValue ??
  (generation === undefined ? undefined : generateSecret(generation));

/**
 * Gives each secret that has none its first value, if there is any for it.
 * @throws {StartError} when one value is given, and the stack has not exactly one secret
 */
export const prepareSecrets = async (
  secrets: readonly Secret[],
  { store, values }: Secrets,
  given: GivenValues,
): Promise<void> => {
  const { secretValue } = given;
  if (secretValue !== undefined && secrets.length !== 1) {
    throw new StartError(`the stack has ${secrets.length} secrets, so one value fits none`);
  }
  for (const secret of secrets) {
    addMissing(store, secret);
    const isNew = findCurrentValue(store, secret) === undefined;
    const value = isNew ? chooseFirstValue(secret, given) : secretValue;
    if (value === undefined || (!isNew && (await values.get(secret.id)) === value)) continue;
    await values.put(secret.id, value);
  }
};
