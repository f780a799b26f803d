import { decodeDependencyFile } from '../../../shared/ecosystems/lockfiles/decode.ts';
import {
  UnknownFormatError,
  UnreadableDependencyFileError,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';

/** Larger than any lockfile. A larger file would block the browser. */
const maxBytes = 64 * 1024 * 1024;

const unknown =
  'The format is unknown. Use the file name that the package manager or the SBOM tool gives.';

const readFile = async (file: File): Promise<ProjectFile> => {
  const path = file.webkitRelativePath || file.name;
  const unreadable = (fault: string): ProjectFile => ({ path, content: undefined, fault });
  if (file.size > maxBytes) return unreadable('The file is larger than 64 MB.');
  try {
    const text = decodeDependencyFile(new Uint8Array(await file.arrayBuffer()));
    return { path, content: readDependencyFile(path, text), fault: undefined };
  } catch (error) {
    if (error instanceof UnknownFormatError) return unreadable(unknown);
    if (error instanceof UnreadableDependencyFileError) return unreadable(error.message);
    return unreadable('The browser cannot read it. Is it a folder, or was it removed?');
  }
};

/** Reads lockfiles and SBOMs in the browser. A file that cannot be read gets a fault, and the others are read. */
export const readFiles = (files: readonly File[]): Promise<ProjectFile[]> =>
  Promise.all(files.map(readFile));
