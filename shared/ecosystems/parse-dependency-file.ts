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

/** Readers of the file formats that belong to one ecosystem. */
const ownReaders: Readonly<Record<Ecosystem, readonly FormatReader[]>> = {
  npm: [packageLock, pnpmLock, yarnLock, bunLock],
  pypi: [requirementsFile, poetryLock, uvLock, pipfileLock, pdmLock, pylock, pyproject],
  maven: [pom, gradleLockfile, mavenList],
  docker: [dockerfile, compose],
};

/** All readers. The first reader that matches a file reads it. */
const readers: readonly FormatReader[] = [...Object.values(ownReaders).flat(), cycloneDx, spdx];

/** Returns the format that the file name implies; undefined if no format has such a name. */
export const findDependencyFormat = (path: string): DependencyFormat | undefined =>
  readers.find(({ named }) => named.test(path.replaceAll('\\', '/')))?.format;

/** Chooses a reader by file name, unless the content has another format: `bom.json` may contain anything. */
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

/** Throws if the text contains the markers of a merge conflict. No format allows these markers. */
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
    // Parsers recurse into nested values, and deep nesting overflows the call stack.
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableDependencyFileError(
      'It nests too deep. Have the tool that wrote it write it anew.',
    );
  }
};

/**
 * Returns the package versions that a dependency file pins, and lists the entries without a pinned version.
 * @param path its last part determines the format; if the name is unknown, the content determines the format
 * @param format overrides the format that the path and the content imply
 * @throws {UnreadableDependencyFileError} if the format is unknown or the file is malformed
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
