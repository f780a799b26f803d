import { resolve } from 'node:path';
import { isImageFormat } from '../../../shared/ecosystems/docker/lockfiles/write-digests.ts';
import { decodeDependencyFile } from '../../../shared/ecosystems/lockfiles/decode.ts';
import {
  type DependencyFormat,
  UnknownFormatError,
  UnreadableDependencyFileError,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';
import { settleFiles } from '../../../shared/use-cases/dependency-check/settle-files.ts';
import { readBytesInput } from '../../input/files.ts';
import { UsageError } from '../../input/usage-error.ts';
import {
  type FoundFile,
  findDependencyFiles,
  isPyproject,
  type Search,
  toShownPath,
} from './find-files.ts';
import { explainManifest, listNotChecked, type NotChecked } from './not-checked.ts';
import { readLocalRepositories } from './read-local-repositories.ts';

/** The files of a project: those that were read, and those that could not be. */
export interface Project {
  readonly files: readonly ProjectFile[];
  readonly notChecked: readonly NotChecked[];
  /** Content of the files of images by path, as it was read. */
  readonly read?: ReadonlyMap<string, Uint8Array>;
}

interface Reading {
  /** The format of the only file. */
  readonly format?: DependencyFormat | undefined;
  /** @throws {UsageError} for a path that may not be read, or leads to one */
  readonly admit?: (path: string) => unknown;
}

/** An unreadable file is a finding if the search found it, and wrong usage if an argument names it. */
const isFinding = (error: unknown, { isNamed }: FoundFile): error is Error =>
  error instanceof UnreadableDependencyFileError || (error instanceof UsageError && !isNamed);

/** A file of a project, and its content if it is one of images. */
interface ReadFile extends ProjectFile {
  readonly bytes?: Uint8Array;
}

const readOne = async (file: FoundFile, { format, admit }: Reading): Promise<ReadFile> => {
  const { path, fault } = file;
  const shown = { path: toShownPath(path) };
  if (fault !== undefined) return { ...shown, content: undefined, fault };
  try {
    admit?.(path);
    const bytes = await readBytesInput(path);
    const content = readDependencyFile(path, decodeDependencyFile(bytes), format);
    return { ...shown, content, fault: undefined, ...(isImageFormat(content.format) && { bytes }) };
  } catch (error) {
    if (!isFinding(error, file)) throw error;
    const fault = error instanceof UnknownFormatError ? explainManifest(path) : undefined;
    return { ...shown, content: undefined, fault: fault ?? error.message };
  }
};

const isProject = ({ content }: ProjectFile): boolean => content?.format === 'pyproject.toml';

const pinsNothing = (file: ProjectFile): boolean =>
  isProject(file) &&
  (file.content?.dependencies.length ?? 0) + (file.content?.unpinned.length ?? 0) === 0;

/** Returns whether a file may have packages that no other file has. */
const addsSomething = (file: ProjectFile): boolean =>
  !pinsNothing(file) || file.content?.incomplete !== undefined;

const shownHints = 3;

/** Returns the error for folders without a readable file, with the first files that should have one beside them. */
const refuseEmpty = (given: readonly string[], search: Search): UsageError => {
  const places = given.includes('.') ? 'this folder' : given.join(', ');
  const hints = listNotChecked(search)
    .slice(0, shownHints)
    .map(({ file, message }) => `${file}: ${message}`);
  const advice = hints.length > 0 ? hints.join(' ') : 'Name a file, or create a lockfile.';
  return new UsageError(`There is no lockfile, list of images or SBOM in ${places}. ${advice}`);
};

/** @throws {UsageError} if no file lists versions */
const refuseNothing = (files: readonly ProjectFile[]): void => {
  if (!files.every(pinsNothing)) return;
  const paths = files.map(({ path }) => path).join(', ');
  throw new UsageError(
    `There is nothing to check in ${paths}: a pyproject.toml does not list the installed versions. Name its lockfile or its folder, or create a lockfile.`,
  );
};

const readAll = async (
  found: readonly FoundFile[],
  reading: Reading,
): Promise<Required<Pick<Project, 'read'>> & { readonly files: ProjectFile[] }> => {
  const readFiles = await Promise.all(found.map((file) => readOne(file, reading)));
  const read = new Map(readFiles.flatMap(({ path, bytes }) => (bytes ? [[path, bytes]] : [])));
  const files: readonly ProjectFile[] = readFiles.map(({ bytes: _, ...file }) => file);
  // Absolute paths show which files are beside or above each other.
  const settled = settleFiles(
    files.map((file, at) => ({ ...file, path: resolve(found[at]?.path ?? '') })),
  );
  return {
    files: settled.map((file, at) => ({ ...file, path: files[at]?.path ?? file.path })),
    read,
  };
};

/**
 * Reads the files of dependencies of a project. An unreadable file does not stop the others.
 * @throws {UsageError} if there are none, or a named file does not exist
 */
export const readProject = async (
  given: readonly string[],
  reading: Reading = {},
): Promise<Project> => {
  const paths = given.length > 0 ? given : ['.'];
  const search = findDependencyFiles(paths);
  const repositories = await readLocalRepositories(search.localVersions, paths);
  const found = search.files.filter(({ path, isNamed }) => isNamed || !repositories.has(path));
  const [first, ...others] = found;
  if (!first && repositories.files.length > 0) return { files: repositories.files, notChecked: [] };
  if (!first) throw refuseEmpty(paths, search);
  if (reading.format !== undefined && (others.length > 0 || !first.isNamed)) {
    throw new UsageError('--format is for one file: name it, or give - for standard input.');
  }
  const beside = search.others.filter(isPyproject).map((path) => ({ path, isNamed: false }));
  const all = await readAll([...found, ...beside], reading);
  const files = all.files.filter((file, at) => at < found.length || addsSomething(file));
  refuseNothing([...repositories.files, ...files]);
  return {
    files: [...repositories.files, ...files],
    ...{ notChecked: listNotChecked(search), read: all.read },
  };
};
