import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../input/usage-error.ts';

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const followLinks = (path: string, given: string): string => {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`${given} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
};

/**
 * Resolves a path inside the folder in which the server was started, through links.
 * @throws {UsageError} for a path outside of that folder, and for a folder too high up to be a project
 */
export const resolveInside = (given: string): string => {
  const root = followLinks('.', '.');
  const named = resolve(root, given);
  const outside = new UsageError(
    `${given} is outside of ${root}, the folder in which this server was started. Give paths below that folder.`,
  );
  // The answer is the same for missing files outside, so that it does not reveal them.
  if (!isWithin(named, root)) throw outside;
  const resolved = followLinks(named, given);
  if (!isWithin(resolved, root)) throw outside;
  if (isWithin(homedir(), resolved)) {
    throw new UsageError(
      `This server was started in ${root}, which is no project. Give it the folder of the project as its working folder, or paths below this one.`,
    );
  }
  return resolved;
};
