import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const permissions = 0o7777;

/**
 * Replaces a file at once, and keeps its mode.
 * @returns false if the file is not as it was read; then it stays
 * @throws an error of the file system if the file cannot be written
 */
export const replaceFile = (path: string, before: Uint8Array, after: Uint8Array): boolean => {
  // The folder alone would allow to replace a file that nobody may write.
  accessSync(path, constants.W_OK);
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    writeFileSync(draft, after, { flag: 'wx' });
    chmodSync(draft, statSync(path).mode & permissions);
    if (!readFileSync(path).equals(before)) return false;
    renameSync(draft, path);
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
};
