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
 * The path that is meant, wherever links lead, from the folder in which the server was started.
 * @throws {UsageError} for what lies outside of it, and for folders so high up that they are no project
 */
export const resolveInside = (given: string): string => {
  const root = followLinks('.', '.');
  const named = resolve(root, given);
  const outside = new UsageError(
    `${given} lies outside of ${root}, in which this server was started. Give paths below that folder.`,
  );
  // Of what is outside, not even whether it is there is told.
  if (!isWithin(named, root)) throw outside;
  const meant = followLinks(named, given);
  if (!isWithin(meant, root)) throw outside;
  if (isWithin(homedir(), meant)) {
    throw new UsageError(
      `This server was started in ${root}, which is no project. Give it the folder of the project as its working folder, or paths below this one.`,
    );
  }
  return meant;
};
