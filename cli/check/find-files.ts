import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { findDependencyFormat } from '../../shared/dependencies/read-dependency-file.ts';
import { UsageError } from '../input/usage-error.ts';

/** Folders of what was installed or made; what is in them follows from files outside. */
const passedBy = new Set(['node_modules', 'site-packages', 'venv', 'vendor', '__pycache__']);

const isPassedBy = (name: string): boolean => name.startsWith('.') || passedBy.has(name);

/** Below a folder, what has a name that files of dependencies have. Links are not followed. */
function* walk(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !isPassedBy(entry.name)) yield* walk(path);
    if (entry.isFile() && findDependencyFormat(entry.name)) yield path;
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
};

const findBelow = (path: string): readonly string[] => {
  try {
    return path === '-' || !isFolder(path) ? [path] : [...walk(path)];
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be searched: ${(error as Error).message}`);
  }
};

/**
 * The files of dependencies that are meant: those that are named, and those that lie in or below a folder that is.
 * @throws {UsageError} if there are none
 */
export const findDependencyFiles = (given: readonly string[]): readonly string[] => {
  const paths = given.length > 0 ? given : ['.'];
  const found = [...new Set(paths.flatMap(findBelow))];
  if (found.length > 0) return found;
  throw new UsageError(
    `There is no lockfile, list of images or bill of materials in ${paths.join(', ')}. Name a file, or make a lockfile first.`,
  );
};

/** A path as people and other programs know it: from the folder in which the command was given. */
export const toShownPath = (path: string): string => {
  if (path === '-') return '(standard input)';
  const shown = relative('.', path);
  return (shown.startsWith('..') ? path : shown).split(sep).join('/');
};
