import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../shared/util/json.ts';
import { readOptionalTextFile } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { makeFolder } from '../output/make-folder.ts';
import { toOneLine } from '../output/text.ts';
import { acquireLock } from './lock-file.ts';

/** The sign-in of a person at a provider, as `registry login --sso` saves it. */
const SignIn = z.strictObject({
  id_token: z.string(),
  /** Null if the provider gave none: the sign-in then ends with the ID token. */
  refresh_token: z.string().nullable(),
  /** When the ID token expires. */
  expires_at: z.iso.datetime(),
  issuer: z.url(),
  client_id: z.string(),
});
export type SignIn = z.infer<typeof SignIn>;

const Config = z.strictObject({
  /** The URL of the registry, unless a flag or the environment has another one. */
  url: z.string().optional(),
  /** The tokens of registries by their URLs; null for a registry without one. */
  tokens: z.record(z.string(), z.string().nullable()).default({}),
  /** The sign-ins of registries by their URLs. */
  sign_ins: z.record(z.string(), SignIn).optional(),
});
export type Config = z.infer<typeof Config>;

/**
 * Reads the config file; no settings without a file.
 * @throws {UsageError} if it holds anything else
 */
export const readConfig = (file: string): Config => {
  const text = readOptionalTextFile(file);
  if (text === undefined) return { tokens: {} };
  const { success, data, error } = Config.safeParse(parseJson(text));
  if (success) return data;
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  // The message leaves out the values: one may be a token.
  const fault = unknown.length > 0 ? `has unknown keys (${unknown.join(', ')}); it` : '';
  throw new UsageError(
    toOneLine(
      `${file} ${fault} must be JSON such as {"url": "https://…", "tokens": {"https://…": "…"}}`,
    ),
  );
};

/** Returns the config with the token or the sign-in of a registry, in place of earlier ones. The URL of a registry stays. */
export const replaceCredentials = (
  { sign_ins: before = {}, ...config }: Config,
  url: string,
  { token = null, signIn }: { readonly token?: string | null; readonly signIn?: SignIn },
): Config => {
  const others = Object.entries(before).filter(([other]) => other !== url);
  const signIns = Object.fromEntries(signIn ? [...others, [url, signIn]] : others);
  return {
    ...config,
    tokens: { ...config.tokens, [url]: token },
    ...(Object.keys(signIns).length > 0 && { sign_ins: signIns }),
  };
};

/** Returns whether a config holds a secret. */
export const hasSecret = ({ tokens, sign_ins = {} }: Config): boolean =>
  Object.values(tokens).some(Boolean) || Object.keys(sign_ins).length > 0;

/** Returns the URL of the saved registry with a host such as `registry.example.com`; any other text as it is. */
export const findUrl = ({ url, tokens }: Config, given: string): string => {
  const saved = [...(url === undefined ? [] : [url]), ...Object.keys(tokens)];
  return saved.find((one) => URL.canParse(one) && new URL(one).host === given) ?? given;
};

const othersMayRead = 0o004;

export const warnOfReadableToken = (file: string, warn: (text: string) => void): void => {
  if ((statSync(file).mode & othersMayRead) === 0) return;
  warn(`${file} holds a token and everyone on this machine can read it: chmod 600 ${file}`);
};

/** Replaces a file at once, so that it is complete at any time. Only its owner can read it. */
const replaceFile = (file: string, text: string): void => {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};

const toWriteError = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be written: ${(error as Error).message}`);

/**
 * Writes the config file, readable by its owner alone, as is its folder. Its caller holds the lock.
 * @throws {UsageError} if it cannot be written
 */
export const writeConfig = (file: string, config: Config): void => {
  try {
    // A linked file stays where it is.
    const target = existsSync(file) ? realpathSync(file) : file;
    replaceFile(target, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    throw toWriteError(file, error);
  }
};

/**
 * Runs work while no other command writes the config file.
 * @throws {UsageError} if its folder cannot be written
 */
export const withConfigLock = async <T>(file: string, work: () => Promise<T> | T): Promise<T> => {
  const folder = dirname(file);
  let release: () => void;
  try {
    makeFolder(folder, 0o700);
    chmodSync(folder, 0o700);
    release = await acquireLock(`${file}.lock`);
  } catch (error) {
    throw toWriteError(file, error);
  }
  try {
    return await work();
  } finally {
    release();
  }
};

/**
 * Changes the config file. Commands that run at once do not lose the changes of each other.
 * @throws {UsageError} if it cannot be read or written
 */
export const updateConfig = (file: string, change: (config: Config) => Config): Promise<void> =>
  withConfigLock(file, () => writeConfig(file, change(readConfig(file))));
