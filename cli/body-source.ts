import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { withoutMark } from './byte-order-mark.ts';
import type { Invocation } from './invocation.ts';
import { isRecord } from './output/values.ts';
import { UsageError } from './usage-error.ts';
import type { CommandWords } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

const readSource = async (file: string): Promise<string> => {
  try {
    return withoutMark(await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

const readJson = async (file: string): Promise<unknown> => {
  const source = await readSource(file);
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
};

const readFields = async (file: string): Promise<Values> => {
  const value = await readJson(file);
  if (!isRecord(value)) throw new UsageError(`${file} must hold a JSON object.`);
  return value;
};

/** What a command's file or manifest says; no fields without one. */
export const readBodySource = async (
  { body }: CommandWords,
  { arguments: given, flags }: Invocation,
): Promise<unknown> => {
  const { file, from } = flags as { file?: string; from?: string };
  if (file && from) throw new UsageError('Give --file or --from, not both.');
  if (body === 'file argument') return readJson(given.at(-1) ?? '-');
  if (file) return readFields(file);
  if (!from) return {};
  const { readManifest } = await import('./manifest/manifest.ts');
  return readManifest(from);
};
