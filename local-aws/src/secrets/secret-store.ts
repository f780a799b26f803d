/** Stores versions of secrets, in memory or in a JSON file that each change replaces as a whole. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replacePrivateFile } from '../private-file.ts';

const versionSchema = z.object({
  value: z.union([z.object({ SecretString: z.string() }), z.object({ SecretBinary: z.string() })]),
  stages: z.array(z.string()),
  /** Epoch milliseconds. */
  createdAt: z.number(),
});

const secretSchema = z.object({
  name: z.string(),
  arn: z.string(),
  versions: z.record(z.string(), versionSchema),
  createdAt: z.number(),
  changedAt: z.number(),
});

export type SecretVersion = z.output<typeof versionSchema>;
export type StoredSecret = z.output<typeof secretSchema>;

export interface SecretStore {
  /** All secrets. A caller that changes a secret must call `save`. */
  readonly secrets: readonly StoredSecret[];
  add(secret: StoredSecret): void;
  /** Resolves once the current state survives a power failure. In memory, it resolves immediately. */
  save(): Promise<void>;
}

const readSecrets = async (path: string): Promise<StoredSecret[]> => {
  try {
    return z.array(secretSchema).parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new Error(`${path} cannot be read as the file of secrets`, { cause: error });
  }
};

/** @param path JSON file, or undefined to store the secrets in memory only */
export const openSecretStore = async (path: string | undefined): Promise<SecretStore> => {
  const secrets = path === undefined ? [] : await readSecrets(path);
  let saved: Promise<void> = Promise.resolve();
  return {
    secrets,
    add: (secret) => secrets.push(secret),
    save: () => {
      if (path === undefined) return saved;
      const content = JSON.stringify(secrets, null, 2);
      // A failed save must not prevent the next one.
      saved = saved.catch(() => undefined).then(() => replacePrivateFile(path, content));
      return saved;
    },
  };
};
