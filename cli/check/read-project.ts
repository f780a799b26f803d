import type { ProjectFile } from '../../shared/checking/findings.ts';
import { settleFiles } from '../../shared/checking/settle-files.ts';
import { decodeDependencyFile } from '../../shared/dependencies/decode.ts';
import {
  type DependencyFormat,
  UnreadableDependencyFileError,
} from '../../shared/dependencies/dependency-file.ts';
import { readDependencyFile } from '../../shared/dependencies/read-dependency-file.ts';
import { readBytesInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { type FoundFile, findDependencyFiles, isPyproject, toShownPath } from './find-files.ts';
import { listNotChecked, type NotChecked } from './not-checked.ts';

/** What of a project was read, and what should have been. */
export interface Project {
  readonly files: readonly ProjectFile[];
  readonly notChecked: readonly NotChecked[];
}

interface Reading {
  /** What the one file is that is named. */
  readonly format?: DependencyFormat | undefined;
  /** @throws {UsageError} for a path that may not be read, wherever it leads */
  readonly admit?: (path: string) => unknown;
}

/** What was found and cannot be read is a finding; what somebody named, a mistake. */
const isFinding = (error: unknown, { isNamed }: FoundFile): error is Error =>
  error instanceof UnreadableDependencyFileError || (error instanceof UsageError && !isNamed);

const readOne = async (file: FoundFile, { format, admit }: Reading): Promise<ProjectFile> => {
  const { path, fault } = file;
  const shown = { path: toShownPath(path) };
  if (fault !== undefined) return { ...shown, content: undefined, fault };
  try {
    admit?.(path);
    const text = decodeDependencyFile(await readBytesInput(path));
    return { ...shown, content: readDependencyFile(path, text, format), fault: undefined };
  } catch (error) {
    if (!isFinding(error, file)) throw error;
    return { ...shown, content: undefined, fault: error.message };
  }
};

/** Whether a file says anything that no other one says. */
const isTelling = ({ content }: ProjectFile): boolean =>
  content !== undefined &&
  (content.dependencies.length + content.unpinned.length > 0 || content.incomplete !== undefined);

/** Of a pyproject.toml that nobody named, only what it adds is wanted. One that cannot be read pins nothing. */
const splitPyprojects = (files: readonly ProjectFile[], found: ReadonlySet<string>): Project => {
  const isFound = ({ path }: ProjectFile): boolean => found.has(path);
  return {
    files: files.filter((file) => !isFound(file) || isTelling(file)),
    notChecked: files.flatMap((file): NotChecked[] =>
      isFound(file) && file.fault !== undefined
        ? [{ file: file.path, reason: 'not_read', message: file.fault }]
        : [],
    ),
  };
};

/**
 * Reads the files of dependencies that are meant. One that cannot be read does not keep the others from it.
 * @throws {UsageError} if there are none, or one that is named is not there
 */
export const readProject = async (
  given: readonly string[],
  reading: Reading = {},
): Promise<Project> => {
  const search = findDependencyFiles(given);
  const [first, ...others] = search.files;
  if (reading.format !== undefined && (others.length > 0 || !first?.isNamed)) {
    throw new UsageError('--format says what one file is: name it, or give - for standard input.');
  }
  const beside = search.others.filter(isPyproject).map((path) => ({ path, isNamed: false }));
  const all = [...search.files, ...beside].map((file) => readOne(file, reading));
  const found = new Set(beside.map(({ path }) => toShownPath(path)));
  const { files, notChecked } = splitPyprojects(settleFiles(await Promise.all(all)), found);
  return { files, notChecked: [...listNotChecked(search), ...notChecked] };
};
