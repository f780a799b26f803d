import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../input/usage-error.ts';
import { makeFolder } from './make-folder.ts';
import type { Terminal } from './terminal.ts';

/** Writes the next piece of a result. */
export type WriteText = (text: string) => void;

const refuse = (file: string, error: unknown): UsageError =>
  new UsageError(`${file} cannot be written: ${(error as Error).message}`);

/** Returns whether a path is neither missing nor a plain file, such as `/dev/stdout`. Such a file cannot be replaced. */
const isSpecial = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
};

/** Opens the file that receives the pieces: a draft beside the result, or a special file itself. */
const openDraft = (file: string) => {
  try {
    if (isSpecial(file)) return { draft: file, descriptor: openSync(file, 'w') };
    makeFolder(dirname(file));
    const draft = `${file}.${randomUUID()}`;
    return { draft, descriptor: openSync(draft, 'wx') };
  } catch (error) {
    throw refuse(file, error);
  }
};

/**
 * Writes a result to a file, or to standard output without one or for `-`. The file is complete or stays as it was: it
 * appears when `produce` has ended.
 * @throws {UsageError} if the file cannot be written; nothing was produced then
 */
export const writeResultFile = async (
  file: string | undefined,
  { out }: Pick<Terminal, 'out'>,
  produce: (write: WriteText) => Promise<void> | void,
): Promise<void> => {
  if (file === undefined || file === '-') {
    await produce(out.write);
    return;
  }
  const { draft, descriptor } = openDraft(file);
  try {
    await produce((text) => {
      // One call may write only a part of a long text.
      let rest = Buffer.from(text);
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    });
    closeSync(descriptor);
    if (draft !== file) renameSync(draft, file);
  } catch (error) {
    if (draft !== file) rmSync(draft, { force: true });
    throw error;
  }
};
