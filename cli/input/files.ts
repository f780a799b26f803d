import { readFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { UsageError } from './usage-error.ts';

/** Drops the byte order mark that some editors write. */
const dropByteOrderMark = (content: string): string => content.replace(/^\ufeff/, '');

const toUsageError = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be read: ${(error as Error).message}`);

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Reads a text file.
 * @throws {UsageError} if it cannot be read
 */
export const readTextFile = (file: string): string => {
  try {
    return dropByteOrderMark(readFileSync(file, 'utf8'));
  } catch (error) {
    throw toUsageError(file, error);
  }
};

/**
 * Reads a text file that may be missing: undefined then.
 * @throws {UsageError} if it exists and cannot be read
 */
export const readOptionalTextFile = (file: string): string | undefined => {
  try {
    return dropByteOrderMark(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toUsageError(file, error);
  }
};

/** Reads a text file with optional hints; empty if it cannot be read. */
export const readTextOrNothing = (file: string): string => {
  try {
    return dropByteOrderMark(readFileSync(file, 'utf8'));
  } catch {
    return '';
  }
};

const readStandardInput = async (): Promise<string> => {
  try {
    return dropByteOrderMark(await text(process.stdin));
  } catch (error) {
    throw toUsageError('-', error);
  }
};

/**
 * Reads text from a file, or from standard input where `-` is given.
 * @throws {UsageError} if it cannot be read
 */
export const readTextInput = async (file: string): Promise<string> =>
  file === '-' ? readStandardInput() : readTextFile(file);

/**
 * Reads the bytes of a file, or of standard input where `-` is given.
 * @throws {UsageError} if it cannot be read
 */
export const readBytesInput = async (file: string): Promise<Uint8Array> => {
  try {
    return file === '-' ? await buffer(process.stdin) : readFileSync(file);
  } catch (error) {
    throw toUsageError(file, error);
  }
};

/**
 * Reads JSON from a file, or from standard input where `-` is given.
 * @throws {UsageError} if it cannot be read or is not JSON
 */
export const readJsonInput = async (file: string): Promise<unknown> => {
  const source = await readTextInput(file);
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
};
