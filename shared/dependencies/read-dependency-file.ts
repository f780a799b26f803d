import { cycloneDx } from './bills/cyclonedx.ts';
import { spdx } from './bills/spdx.ts';
import {
  type DependencyFile,
  type DependencyFormat,
  UnknownFormatError,
  UnreadableDependencyFileError,
} from './dependency-file.ts';
import { compose } from './docker/compose.ts';
import { dockerfile } from './docker/dockerfile.ts';
import type { Contents, FormatReader } from './format-reader.ts';
import { gradleLockfile } from './maven/gradle-lockfile.ts';
import { mavenList } from './maven/maven-list.ts';
import { pom } from './maven/pom.ts';
import { bunLock } from './npm/bun-lock.ts';
import { packageLock } from './npm/package-lock.ts';
import { pnpmLock } from './npm/pnpm-lock.ts';
import { yarnLock } from './npm/yarn-lock.ts';
import { pdmLock } from './python/pdm-lock.ts';
import { pipfileLock } from './python/pipfile-lock.ts';
import { poetryLock } from './python/poetry-lock.ts';
import { pylock } from './python/pylock.ts';
import { pyproject } from './python/pyproject.ts';
import { requirementsFile } from './python/requirements.ts';
import { uvLock } from './python/uv-lock.ts';
import { explainUnreadFile } from './unread-files.ts';

const readers: readonly FormatReader[] = [
  packageLock,
  pnpmLock,
  yarnLock,
  bunLock,
  requirementsFile,
  poetryLock,
  uvLock,
  pipfileLock,
  pdmLock,
  pylock,
  pyproject,
  pom,
  gradleLockfile,
  mavenList,
  dockerfile,
  compose,
  cycloneDx,
  spdx,
];

/** The format that files of this name have; undefined if the name says nothing. */
export const findDependencyFormat = (path: string): DependencyFormat | undefined =>
  readers.find(({ named }) => named.test(path.replaceAll('\\', '/')))?.format;

/** By its name, unless its content is of another format: `bom.json` may be anything. */
const guessReader = (path: string, text: string): FormatReader | undefined => {
  const format = findDependencyFormat(path);
  const named = readers.find((one) => one.format === format);
  if (named && named.recognises?.(text) !== false) return named;
  return readers.find(({ recognises }) => recognises?.(text)) ?? named;
};

const findReader = (
  path: string,
  text: string,
  format: DependencyFormat | undefined,
): FormatReader => {
  const reader = format ? readers.find((one) => one.format === format) : guessReader(path, text);
  if (reader) return reader;
  const why = explainUnreadFile(path, () => text);
  throw why === undefined ? new UnknownFormatError() : new UnreadableDependencyFileError(why);
};

/** Where a merge left two versions of the file in it, which no format allows. */
const checkMerged = (text: string): void => {
  const at = text.search(/^<{7} /m);
  if (at < 0 || !/^>{7} /m.test(text)) return;
  const line = text.slice(0, at).split('\n').length;
  throw new UnreadableDependencyFileError(
    `It has a merge conflict in line ${line}: resolve it first.`,
  );
};

const readWith = (reader: FormatReader, text: string): Contents => {
  try {
    return reader.read(text);
  } catch (error) {
    // Parsers go down into what nests, and the stack ends.
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableDependencyFileError(
      'It nests too deep. Have the tool that wrote it write it anew.',
    );
  }
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
  format?: DependencyFormat,
): DependencyFile => {
  const content = text.replace(/^\uFEFF/, '');
  checkMerged(content);
  const reader = findReader(path, content, format);
  return { format: reader.format, ...readWith(reader, content) };
};
