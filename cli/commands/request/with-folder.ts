import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';

/**
 * Runs work with an empty folder for a copy of the project, and deletes it at the end. Its path ends with that of the
 * project, so that relative paths in the copy lead to no folder of others.
 */
export const withFolder = async <T>(
  project: string,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const temporary = mkdtempSync(join(tmpdir(), 'registry-request-'));
  const path = realpathSync(project);
  const folder = join(temporary, path.slice(parse(path).root.length));
  try {
    mkdirSync(folder, { recursive: true });
    return await work(folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};
