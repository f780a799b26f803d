import {
  type DeclaredSource,
  UnreadableDependencyFileError,
} from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsAt,
  membersAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { listTables, parseTomlTree } from '../../lockfiles/syntax/toml.ts';
import { findForeignFile, listBuilds, listFound, type PythonPackage, toAsk } from './packages.ts';

const addressOf = (table: SyntaxNode | undefined): string =>
  textAt(table, 'url') ?? textAt(table, 'path') ?? '';

const listFiles = (table: SyntaxNode): SyntaxNode[] =>
  [findAt(table, 'sdist'), ...itemsAt(table, 'wheels')].filter((file) => file !== undefined);

/** Returns the URLs (or paths) and the names of a package's files, as far as given. */
const listNames = (table: SyntaxNode): string[] =>
  listFiles(table).flatMap((file) => [addressOf(file), textAt(file, 'name') ?? ''].filter(Boolean));

const listHashes = (table: SyntaxNode): string[] =>
  listFiles(table).flatMap((file) =>
    [...membersAt(file, 'hashes')].map(([algorithm, hash]) => `${algorithm}:${textOf(hash)}`),
  );

const findElsewhere = (table: SyntaxNode): PythonPackage['elsewhere'] => {
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
  return findForeignFile(listNames(table), toAsk(table));
};

const readPackage = (table: SyntaxNode): PythonPackage => ({
  name: textAt(table, 'name') ?? '',
  version: textAt(table, 'version'),
  line: table.line,
  asks: itemsAt(table, 'dependencies').map(toAsk),
  elsewhere: findElsewhere(table),
  hashes: listHashes(table),
  addresses: listFiles(table).map(addressOf),
  files: listNames(table),
});

const readSource = (table: SyntaxNode): DeclaredSource[] => {
  const address = textAt(table, 'index');
  return address === undefined
    ? []
    : [{ ecosystem: 'pypi', kind: 'index', address, line: table.line }];
};

const isOwn = (table: SyntaxNode): boolean => textAt(table, 'directory', 'path') === '.';

/** Returns the contents of a lockfile of PEP 751, which does not list direct dependencies. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  const version = textAt(lock, 'lock-version');
  if (!version || !/^1\.\d+$/.test(version)) {
    throw new UnreadableDependencyFileError(
      `Its lock-version is ${version ?? 'not given'}; 1.0 is read. Write it with pip lock, or uv export --format pylock.toml`,
    );
  }
  const tables = listTables(itemsAt(lock, 'packages'), text, 'packages');
  const packages = tables.filter((table) => !isOwn(table)).map(readPackage);
  const contents = gather(
    listFound(packages),
    tables.filter(isOwn).flatMap((table) => textAt(table, 'name') ?? []),
    tables.flatMap(readSource),
  );
  return { ...contents, builds: listBuilds(packages) };
};

export const pylock: FormatReader = {
  format: 'pylock.toml',
  named: /(?:^|\/)pylock\.(?:[^/.]+\.)?toml$/,
  read,
};
