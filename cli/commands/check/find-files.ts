import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { explainUnreadFile } from '../../../shared/ecosystems/lockfiles/unread-files.ts';
import { findDependencyFormat } from '../../../shared/ecosystems/parse-dependency-file.ts';
import { readTextOrNothing } from '../../input/files.ts';
import { UsageError } from '../../input/usage-error.ts';

/** Folders of what was installed or made; what is in them follows from files outside. */
const passedBy = new Set(['node_modules', 'site-packages', 'venv', 'vendor', '__pycache__']);

const isPassedBy = (name: string): boolean => name.startsWith('.') || passedBy.has(name);

/** A file of dependencies, or what cannot be looked at. */
export interface FoundFile {
  readonly path: string;
  /** Whether somebody named it: then it has to be there. */
  readonly isNamed: boolean;
  readonly fault?: string;
}

/** What lies below folders: files of dependencies, and the others, which may say that there should be more of them. */
export interface Search {
  readonly files: readonly FoundFile[];
  readonly others: readonly string[];
}

const explain = (error: unknown): string => `It cannot be read: ${(error as Error).message}`;

/** A pyproject.toml is no list of what is installed: it says more about the lists beside it. */
export const isPyproject = (path: string): boolean =>
  findDependencyFormat(path) === 'pyproject.toml';

/** Where a link leads is looked at only if its name is one that counts: links to folders may lead in circles. */
const isFileBehindLink = (path: string): boolean => statSync(path).isFile();

const listFolder = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));

const lookAt = (path: string, entry: Dirent): Search => {
  const none = { files: [], others: [] };
  const isLink = entry.isSymbolicLink();
  if (!entry.isFile() && !isLink) return none;
  if (!findDependencyFormat(path)) return isLink ? none : { ...none, others: [path] };
  try {
    if (isLink && !isFileBehindLink(path)) return none;
    return isPyproject(path)
      ? { ...none, others: [path] }
      : { ...none, files: [{ path, isNamed: false }] };
  } catch (error) {
    return { ...none, files: [{ path, isNamed: false, fault: explain(error) }] };
  }
};

const joinSearches = (searches: readonly Search[]): Search => ({
  files: searches.flatMap(({ files }) => files),
  others: searches.flatMap(({ others }) => others),
});

const searchEntries = (folder: string, entries: readonly Dirent[]): Search =>
  joinSearches(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return lookAt(path, entry);
      return isPassedBy(entry.name) ? { files: [], others: [] } : searchBelow(path);
    }),
  );

/** A folder that nobody may look into is told, as whatever may be in it is not checked. */
const searchBelow = (folder: string): Search => {
  try {
    return searchEntries(folder, listFolder(folder));
  } catch (error) {
    return { files: [{ path: folder, isNamed: false, fault: explain(error) }], others: [] };
  }
};

const search = (path: string): Search => {
  const named = { files: [{ path, isNamed: true }], others: [] };
  if (path === '-') return named;
  try {
    return statSync(path).isDirectory() ? searchEntries(path, listFolder(path)) : named;
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
};

/** The same file once, however it was written. One that is named is so, although it was found, too. */
const dropTwins = (files: readonly FoundFile[]): readonly FoundFile[] => {
  const byPath = new Map<string, FoundFile>();
  for (const file of files) {
    const key = file.path === '-' ? '-' : resolve(file.path);
    if (file.isNamed || !byPath.has(key)) byPath.set(key, file);
  }
  return [...byPath.values()];
};

/** The other files once each, without those that somebody named. */
const dropNamed = (others: readonly string[], files: readonly FoundFile[]): readonly string[] => {
  const byPath = new Map(others.map((path) => [resolve(path), path]));
  for (const { path } of files) byPath.delete(resolve(path));
  return [...byPath.values()];
};

const shownHints = 3;

/** Explains the first files that tell of packages and are not read. */
const listHints = (others: readonly string[]): string =>
  others
    .flatMap((path) => {
      const why = explainUnreadFile(path, () => readTextOrNothing(path));
      return why === undefined ? [] : [`${toShownPath(path)}: ${why}`];
    })
    .slice(0, shownHints)
    .join(' ');

/**
 * The files of dependencies that are meant: those that are named, and those that lie in or below a folder that is.
 * @throws {UsageError} if there are none, or what is named cannot be looked at
 */
export const findDependencyFiles = (given: readonly string[]): Search => {
  const paths = given.length > 0 ? given : ['.'];
  const { files, others } = joinSearches(paths.map(search));
  if (files.length > 0) return { files: dropTwins(files), others: dropNamed(others, files) };
  const hints = listHints(others);
  throw new UsageError(
    `There is no lockfile, list of images or SBOM in ${paths.join(', ')}. ${hints || 'Name a file, or make a lockfile first.'}`,
  );
};

/** A path as people and other programs know it: from the folder in which the command was given. */
export const toShownPath = (path: string): string => {
  if (path === '-') return '(standard input)';
  const shown = relative('.', path);
  return (shown.startsWith('..') ? path : shown).split(sep).join('/');
};
