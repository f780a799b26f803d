import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never ends where the system denies a new folder with
 * `ENOENT`, as Linux does below `/proc`.
 * @throws {Error} of Node.js if a folder cannot be created, or a file has its name
 */
export const makeFolder = (folder: string, mode?: number): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
