import { decodeDependencyFile } from '../../../shared/ecosystems/lockfiles/decode.ts';
import {
  UnknownFormatError,
  UnreadableDependencyFileError,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';

/** Larger than any lockfile; a browser would stand still for it. */
const mostBytes = 64 * 1024 * 1024;

const unknown =
  'Neither its name nor its content tells what it is: files keep the names that their tools give them.';

const readFile = async (file: File): Promise<ProjectFile> => {
  const path = file.webkitRelativePath || file.name;
  const unreadable = (fault: string): ProjectFile => ({ path, content: undefined, fault });
  if (file.size > mostBytes) return unreadable('It is larger than 64 MB, as no lockfile is.');
  try {
    const text = decodeDependencyFile(new Uint8Array(await file.arrayBuffer()));
    return { path, content: readDependencyFile(path, text), fault: undefined };
  } catch (error) {
    if (error instanceof UnknownFormatError) return unreadable(unknown);
    if (error instanceof UnreadableDependencyFileError) return unreadable(error.message);
    return unreadable('The browser cannot read it. Is it a folder, or has it gone meanwhile?');
  }
};

/** Reads lockfiles and bills of materials, here in the browser. One that cannot be read does not keep the others from it. */
export const readFiles = (files: readonly File[]): Promise<ProjectFile[]> =>
  Promise.all(files.map(readFile));
