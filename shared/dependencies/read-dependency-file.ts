import {
  type DependencyFile,
  type DependencyFormat,
  UnreadableDependencyFileError,
} from './dependency-file.ts';
import type { FormatReader } from './format-reader.ts';

const readers: readonly FormatReader[] = [];

/** The format that files of this name have; undefined if the name says nothing. */
export const findDependencyFormat = (path: string): DependencyFormat | undefined =>
  readers.find(({ named }) => named.test(path))?.format;

const findReader = (text: string, format: DependencyFormat | undefined): FormatReader => {
  const reader = readers.find((one) =>
    format === undefined ? one.recognises?.(text) : one.format === format,
  );
  if (reader) return reader;
  throw new UnreadableDependencyFileError('It is no file of dependencies that is known.');
};

/**
 * Reads which versions of which packages a file of dependencies pins, and names what it does not pin.
 * @param path tells the format by its last part; where it does not, the content does
 * @param format tells it before both
 * @throws {UnreadableDependencyFileError} if it is of no known format, or malformed
 */
export const readDependencyFile = (
  path: string,
  text: string,
  format = findDependencyFormat(path),
): DependencyFile => {
  const reader = findReader(text, format);
  return { format: reader.format, ...reader.read(text) };
};
