import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import {
  isLocalArtifact,
  originsFile,
} from '../../../shared/ecosystems/maven/lockfiles/local-repository.ts';
import { findDependencyFormat } from '../../../shared/ecosystems/parse-dependency-file.ts';
import { UsageError } from '../../input/usage-error.ts';

/** Folders of installed or generated files, which follow from files outside. */
const skippedFolders = new Set(['node_modules', 'site-packages', 'venv', 'vendor', '__pycache__']);

/** Returns a path with `/` between its parts. */
export const withSlashes = (path: string): string => path.split(sep).join('/');

const isSkipped = (name: string): boolean => name.startsWith('.') || skippedFolders.has(name);

/** A file of dependencies, or a path that cannot be read. */
export interface FoundFile {
  readonly path: string;
  /** Whether an argument names it: then it must exist. */
  readonly isNamed: boolean;
  readonly fault?: string;
}

/** The files below folders: files of dependencies, and others, which may show that some are missing. */
export interface Search {
  readonly files: readonly FoundFile[];
  readonly others: readonly string[];
  /** Folders in which Maven noted from where it downloaded a version: parts of its local repositories. */
  readonly localVersions: readonly string[];
}

const nothing: Search = { files: [], others: [], localVersions: [] };

const explain = (error: unknown): string => `It cannot be read: ${(error as Error).message}`;

/** A pyproject.toml does not list installed packages; it only adds to the lockfiles beside it. */
export const isPyproject = (path: string): boolean =>
  findDependencyFormat(path) === 'pyproject.toml';

/** Links to folders are not followed, since they may form circles. */
const isFileBehindLink = (path: string): boolean => statSync(path).isFile();

const listFolder = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));

const searchEntry = (path: string, entry: Dirent): Search => {
  const none = nothing;
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
  localVersions: searches.flatMap(({ localVersions }) => localVersions),
});

/** True if a folder has Maven's note and a file that a build uses. Failed downloads leave only notes. */
const isLocalVersion = (folder: string, entries: readonly Dirent[]): boolean =>
  entries.some(({ name }) => name === originsFile) &&
  entries.some(({ name }) => isLocalArtifact(withSlashes(resolve(folder)), name));

/** A folder of Maven's local repository is searched like any other: its note must not hide a lockfile. */
const searchEntries = (folder: string, entries: readonly Dirent[]): Search =>
  joinSearches([
    searchEachEntry(folder, entries),
    { ...nothing, localVersions: isLocalVersion(folder, entries) ? [folder] : [] },
  ]);

const searchEachEntry = (folder: string, entries: readonly Dirent[]): Search =>
  joinSearches(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return searchEntry(path, entry);
      return isSkipped(entry.name) ? nothing : searchBelow(path);
    }),
  );

/** An unreadable folder is a finding, since its files are not checked. */
const searchBelow = (folder: string): Search => {
  try {
    return searchEntries(folder, listFolder(folder));
  } catch (error) {
    return { ...nothing, files: [{ path: folder, isNamed: false, fault: explain(error) }] };
  }
};

const explainUnreadable = (path: string, error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? `There is no file or folder ${path}. Name one, or a package version such as npm:lodash@4.17.21.`
    : `${path} cannot be read: ${(error as Error).message}`;

const search = (path: string): Search => {
  const named = { ...nothing, files: [{ path, isNamed: true }] };
  if (path === '-') return named;
  try {
    return statSync(path).isDirectory() ? searchEntries(path, listFolder(path)) : named;
  } catch (error) {
    throw new UsageError(explainUnreadable(path, error));
  }
};

/** Drops duplicates of a file. A named file stays named if the search finds it, too. */
const dropTwins = (files: readonly FoundFile[]): readonly FoundFile[] => {
  const byPath = new Map<string, FoundFile>();
  for (const file of files) {
    const key = file.path === '-' ? '-' : resolve(file.path);
    if (file.isNamed || !byPath.has(key)) byPath.set(key, file);
  }
  return [...byPath.values()];
};

/** Drops duplicates of other files, and files that arguments name. */
const dropNamed = (others: readonly string[], files: readonly FoundFile[]): readonly string[] => {
  const byPath = new Map(others.map((path) => [resolve(path), path]));
  for (const { path } of files) byPath.delete(resolve(path));
  return [...byPath.values()];
};

/**
 * Finds the files of dependencies: named files, and the files in or below named folders.
 * @throws {UsageError} if a named path cannot be read
 */
export const findDependencyFiles = (paths: readonly string[]): Search => {
  const { files, others, localVersions } = joinSearches(paths.map(search));
  return {
    files: dropTwins(files),
    others: dropNamed(others, files),
    localVersions: [...new Set(localVersions)],
  };
};

/** Returns a path relative to the current folder, as people and reports show it. */
export const toShownPath = (path: string): string => {
  if (path === '-') return '(standard input)';
  const shown = relative('.', path);
  return withSlashes(shown.startsWith('..') ? path : shown);
};
