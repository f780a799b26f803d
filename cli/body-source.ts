import { readFileSync } from 'node:fs';
import { isRecord } from './output/values.ts';
import type { Invocation } from './route-command.ts';
import { UsageError } from './usage-error.ts';
import type { CommandWords } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

const standardInput = 0;

const readSource = (file: string): string => {
  try {
    return readFileSync(file === '-' ? standardInput : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

const readJson = (file: string): Values => {
  const text = readSource(file);
  const name = file === '-' ? 'standard input' : file;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw new UsageError(`${name} must hold a JSON object.`);
  return value;
};

/** What a command's file or manifest says; nothing without one. */
export const readBodySource = async (
  { body }: CommandWords,
  { arguments: given, flags }: Invocation,
): Promise<Values> => {
  const { file, from } = flags as { file?: string; from?: string };
  if (file && from) throw new UsageError('Give --file or --from, not both.');
  if (body === 'file argument') return readJson(given.at(-1) ?? '-');
  if (file) return readJson(file);
  if (!from) return {};
  const { readManifest } = await import('./manifest/manifest.ts');
  return readManifest(from);
};
