import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { readJsonInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import type { CommandWords } from './command-words.ts';
import type { Invocation } from './invocation.ts';

const readJsonFields = async (file: string): Promise<JsonObject> => {
  const value = await readJsonInput(file);
  if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object.`);
  return value;
};

/**
 * Reads what a command's file or manifest says; no fields without one.
 * @throws {UsageError} if it cannot be read
 */
export const readBodySource = async (
  { body }: CommandWords,
  { arguments: given, flags }: Invocation,
): Promise<unknown> => {
  const { file, from } = flags as { file?: string; from?: string };
  if (body === 'file argument') return readJsonInput(given.at(-1) ?? '-');
  if (file) return readJsonFields(file);
  if (!from) return {};
  const { readManifest } = await import('../manifest/manifest.ts');
  return readManifest(from);
};
