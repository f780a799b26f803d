import { UnreadableDependencyFileError } from '../dependency-file.ts';
import type { Contents, FormatReader } from '../format-reader.ts';
import { gather } from '../gather.ts';
import { listTables, parseTomlTree } from '../syntax/toml.ts';
import { findAt, itemsAt, type Tree, textAt } from '../syntax/tree.ts';
import { findForeignFile, listFound, type PythonPackage, toAsk } from './packages.ts';

const addressOf = (table: Tree | undefined): string =>
  textAt(table, 'url') ?? textAt(table, 'path') ?? '';

/** The names of the files that are installed: given, or at the end of their addresses. */
const listFiles = (table: Tree): string[] =>
  [findAt(table, 'sdist'), ...itemsAt(table, 'wheels')]
    .map((file) => addressOf(file) || (textAt(file, 'name') ?? ''))
    .filter(Boolean);

const findElsewhere = (table: Tree): PythonPackage['elsewhere'] => {
  const [vcs, directory, archive] = ['vcs', 'directory', 'archive'].map((kind) =>
    findAt(table, kind),
  );
  if (vcs) {
    return { reason: 'git', detail: `${addressOf(vcs)}#${textAt(vcs, 'commit-id') ?? ''}` };
  }
  if (directory) return { reason: 'file', detail: addressOf(directory) };
  if (archive) {
    return { reason: findAt(archive, 'url') ? 'url' : 'file', detail: addressOf(archive) };
  }
  return findForeignFile(listFiles(table), textAt(table, 'name') ?? '');
};

const readPackage = (table: Tree): PythonPackage => ({
  name: textAt(table, 'name') ?? '',
  version: textAt(table, 'version'),
  line: table.line,
  asks: itemsAt(table, 'dependencies').map(toAsk),
  elsewhere: findElsewhere(table),
});

const isOwn = (table: Tree): boolean => textAt(table, 'directory', 'path') === '.';

/** Reads a lockfile as PEP 751 says. It does not say what the project asks for. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  const version = textAt(lock, 'lock-version');
  if (!version || !/^1\.\d+$/.test(version)) {
    throw new UnreadableDependencyFileError(
      `Its lock-version is ${version ?? 'not given'}; 1.0 is read. Write it with pip lock, or uv export --format pylock.toml`,
    );
  }
  const tables = listTables(itemsAt(lock, 'packages'), text, 'packages');
  return gather(
    listFound(tables.filter((table) => !isOwn(table)).map(readPackage)),
    tables.filter(isOwn).flatMap((table) => textAt(table, 'name') ?? []),
  );
};

export const pylock: FormatReader = {
  format: 'pylock.toml',
  named: /(?:^|\/)pylock\.(?:[^/.]+\.)?toml$/,
  read,
};
