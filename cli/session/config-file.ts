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

const Config = z.strictObject({
  /** The URL of the registry, unless a flag or the environment has another one. */
  url: z.string().optional(),
  /** The tokens of registries by their URLs; null for a registry without one. */
  tokens: z.record(z.string(), z.string().nullable()).default({}),
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

/**
 * Writes the config file, readable by its owner alone, as is its folder.
 * @throws {UsageError} if it cannot be written
 */
export const writeConfig = (file: string, config: Config): void => {
  const folder = dirname(file);
  try {
    makeFolder(folder, 0o700);
    chmodSync(folder, 0o700);
    // A linked file stays where it is.
    const target = existsSync(file) ? realpathSync(file) : file;
    replaceFile(target, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
};
