import {
  type DependencyFile,
  UnreadableDependencyFileError,
} from '../../shared/dependencies/dependency-file.ts';
import { readDependencyFile } from '../../shared/dependencies/read-dependency-file.ts';
import { readTextInput } from '../input/files.ts';
import { findDependencyFiles, toShownPath } from './find-files.ts';

/** A file that was looked at: what it says, or why it cannot be read. */
export interface ProjectFile {
  readonly path: string;
  readonly content: DependencyFile | undefined;
  readonly fault: string | undefined;
}

const readOne = async (path: string): Promise<ProjectFile> => {
  const shown = { path: toShownPath(path) };
  const text = await readTextInput(path);
  try {
    return { ...shown, content: readDependencyFile(path, text), fault: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableDependencyFileError)) throw error;
    return { ...shown, content: undefined, fault: error.message };
  }
};

/**
 * Reads the files of dependencies that are meant. One that cannot be understood does not keep the others from it.
 * @throws {UsageError} if there are none, or one is not there
 */
export const readProject = (given: readonly string[]): Promise<readonly ProjectFile[]> =>
  Promise.all(findDependencyFiles(given).map(readOne));
