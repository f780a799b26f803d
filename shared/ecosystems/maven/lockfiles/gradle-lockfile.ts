import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';

const pinned = /^([^:=\s]+:[^:=\s]+):([^:=\s]+)(?:=.*)?$/;

/** Matches a line end as Java and Gradle read it: a single carriage return also ends a line. */
const lineEnd = /\r\n|[\r\n]/;

const readLine = (content: string, line: number): Found[] => {
  const text = content.trim();
  // `empty=` lists configurations without dependencies. `#` and `empty=` are special only at the start of a line.
  if (text === '' || content.startsWith('#') || content.startsWith('empty=')) return [];
  const [, name, version] = pinned.exec(text) ?? [];
  if (name === undefined || version === undefined) return [{ text, reason: 'unreadable', line }];
  return [{ ecosystem: 'maven', name, version, line }];
};

/** Reads the lines `group:name:version=configurations`. The format has no dependency chains. */
const read = (text: string): Contents => {
  const contents = gather(text.split(lineEnd).flatMap((line, at) => readLine(line, at + 1)));
  if (contents.dependencies.length === 0 && contents.unpinned.length > 0) {
    throw new UnreadableDependencyFileError(
      'It is no lockfile of Gradle: no line names a group, a name and a version. Write it with gradle dependencies --write-locks',
    );
  }
  return contents;
};

export const gradleLockfile: FormatReader = {
  format: 'gradle.lockfile',
  named: /(?:^|\/)(?:(?:[^/]+-)?gradle\.lockfile|dependency-locks\/[^/]+\.lockfile)$/,
  read,
};
