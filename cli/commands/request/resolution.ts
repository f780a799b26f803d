import { copyFileSync, type Dirent, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Requested } from './requested.ts';

/** How a request is resolved. */
export interface ResolveOptions {
  /** The project. Only its manifest and its lockfile are read. */
  readonly project: string;
  /** An empty folder for a copy of them. */
  readonly folder: string;
  /** The newest time of publication; undefined for any. */
  readonly before: Date | undefined;
  /** The address of a package index in place of the package manager's own. */
  readonly index: string | undefined;
  /** The address of the gate, which has approved versions only. */
  readonly gate: string;
  readonly signal: AbortSignal;
}

/** The result of a resolution. */
interface Resolution {
  /** The names of the files that list the versions. */
  readonly files: readonly string[];
  /** A sentence for people. */
  readonly remark?: string;
}

/** Resolves a request in a folder. */
export type Resolve = (
  requested: readonly Requested[],
  options: ResolveOptions,
) => Promise<Resolution>;

/** Returns whether a file exists in the project. A link to a file outside does not count. */
const isInside = (project: string, name: string): boolean => {
  try {
    return realpathSync(join(project, name)).startsWith(`${realpathSync(project)}${sep}`);
  } catch {
    return false;
  }
};

/** Copies files of the project that exist. Returns whether all of them do. */
export const copyAll = ({ project, folder }: ResolveOptions, names: readonly string[]): boolean => {
  const areThere = names.every((name) => isInside(project, name));
  if (!areThere) return false;
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(project, name), join(folder, name));
  }
  return true;
};

/** Folders of installed packages. */
const skippedFolders = new Set(['node_modules', 'site-packages', 'venv', '__pycache__']);

/** Returns the entries of a folder; none if it cannot be read. */
const listEntries = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

/** Returns the paths of all files with a name below a folder of the project. Links to folders are not followed. */
const findBelow = (project: string, name: string, folder = ''): string[] =>
  listEntries(join(project, folder)).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === name) return [path];
    const isSearched =
      entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name);
    return isSearched ? findBelow(project, name, path) : [];
  });

/**
 * Copies the manifests of all packages in the project, since its own manifest can refer to their folders. Returns their
 * paths.
 */
export const copyManifests = (options: ResolveOptions, name: string): readonly string[] =>
  findBelow(options.project, name).filter((path) => copyAll(options, [path]));
