import { compose } from './docker/lockfiles/compose.ts';
import { dockerfile } from './docker/lockfiles/dockerfile.ts';
import type { Ecosystem } from './ecosystem.ts';
import {
  type DependencyFile,
  type DependencyFormat,
  UnknownFormatError,
  UnreadableDependencyFileError,
} from './lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from './lockfiles/format-reader.ts';
import { explainUnreadFile } from './lockfiles/unread-files.ts';
import { gradleLockfile } from './maven/lockfiles/gradle-lockfile.ts';
import { mavenList } from './maven/lockfiles/maven-list.ts';
import { pom } from './maven/lockfiles/pom-dependencies.ts';
import { bunLock } from './npm/lockfiles/bun-lock.ts';
import { packageLock } from './npm/lockfiles/package-lock.ts';
import { pnpmLock } from './npm/lockfiles/pnpm-lock.ts';
import { yarnLock } from './npm/lockfiles/yarn-lock.ts';
import { pdmLock } from './pypi/lockfiles/pdm-lock.ts';
import { pipfileLock } from './pypi/lockfiles/pipfile-lock.ts';
import { poetryLock } from './pypi/lockfiles/poetry-lock.ts';
import { pylock } from './pypi/lockfiles/pylock.ts';
import { pyproject } from './pypi/lockfiles/pyproject.ts';
import { requirementsFile } from './pypi/lockfiles/requirements.ts';
import { uvLock } from './pypi/lockfiles/uv-lock.ts';
import { cycloneDx } from './sbom/cyclonedx-sbom.ts';
import { spdx } from './sbom/spdx-sbom.ts';

/** The readers of files that only one ecosystem has. */
const ownReaders: Readonly<Record<Ecosystem, readonly FormatReader[]>> = {
  npm: [packageLock, pnpmLock, yarnLock, bunLock],
  pypi: [requirementsFile, poetryLock, uvLock, pipfileLock, pdmLock, pylock, pyproject],
  maven: [pom, gradleLockfile, mavenList],
  docker: [dockerfile, compose],
};

/** All readers. The first that knows a file reads it. */
const readers: readonly FormatReader[] = [...Object.values(ownReaders).flat(), cycloneDx, spdx];

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
