import {
  type DeclaredSource,
  UnreadableDependencyFileError,
} from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsAt,
  itemsOf,
  membersAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { listTables, parseTomlTree } from '../../lockfiles/syntax/toml.ts';
import {
  type Ask,
  findForeignFile,
  listBuilds,
  listFound,
  type PythonPackage,
  toAsk,
} from './packages.ts';
import { findPinned } from './requirement.ts';

const sources = {
  git: 'git',
  url: 'url',
  path: 'file',
  directory: 'file',
  editable: 'file',
  virtual: 'file',
} as const;

/** Returns the dependencies of a package, including those of extras and groups. */
const listAsks = (table: SyntaxNode): Ask[] =>
  [
    ...itemsAt(table, 'dependencies'),
    ...[...membersAt(table, 'optional-dependencies').values()].flatMap(itemsOf),
    ...[...membersAt(table, 'dev-dependencies').values()].flatMap(itemsOf),
  ].map(toAsk);

const listFiles = (table: SyntaxNode): SyntaxNode[] =>
  [findAt(table, 'sdist'), ...itemsAt(table, 'wheels')].filter((file) => file !== undefined);

/** Returns the URLs or paths of a package's files, which uv installs; for a flat index, the file names. */
const listAddresses = (table: SyntaxNode): string[] =>
  listFiles(table).flatMap(
    (file) => textAt(file, 'url') ?? textAt(file, 'path') ?? textAt(file, 'filename') ?? [],
  );

const findElsewhere = (table: SyntaxNode): PythonPackage['elsewhere'] => {
  for (const [kind, reason] of Object.entries(sources)) {
    const detail = textAt(table, 'source', kind);
    if (detail !== undefined) return { reason, detail };
  }
  return findForeignFile(listAddresses(table), toAsk(table));
};

const readPackage = (table: SyntaxNode): PythonPackage => ({
  name: textAt(table, 'name') ?? '',
  version: textAt(table, 'version'),
  line: table.line,
  asks: listAsks(table),
  elsewhere: findElsewhere(table),
  hashes: listFiles(table).flatMap((file) => textAt(file, 'hash') ?? []),
  addresses: listAddresses(table),
  files: listAddresses(table),
});

/** Returns the build requirements that the project pins by `build-constraint-dependencies`. */
const listBuildPins = (lock: SyntaxNode): Found[] =>
  itemsAt(lock, 'manifest', 'build-constraints').flatMap((one) => {
    const [name, specifier = ''] = ['name', 'specifier'].map((part) => textAt(one, part));
    const version = findPinned(specifier);
    return name && version ? [{ ecosystem: 'pypi' as const, name, version }] : [];
  });

const readSource = (table: SyntaxNode): DeclaredSource[] => {
  const address = textAt(table, 'source', 'registry');
  return address === undefined
    ? []
    : [{ ecosystem: 'pypi', kind: 'index', address, line: table.line }];
};

/** Returns a function that is true for workspace members; without members, for the package in the lockfile's folder. */
const prepareOwn = (lock: SyntaxNode): ((table: SyntaxNode) => boolean) => {
  const members = itemsAt(lock, 'manifest', 'members');
  if (members.length > 0) {
    const names = new Set(members.map(textOf));
    return (table) => names.has(textAt(table, 'name'));
  }
  return (table) => ['editable', 'virtual'].some((kind) => textAt(table, 'source', kind) === '.');
};

const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  if (textAt(lock, 'version') !== '1') {
    throw new UnreadableDependencyFileError(
      `Its version is ${textAt(lock, 'version') ?? 'not given'}; 1 is read. Write it with uv lock`,
    );
  }
  const tables = listTables(itemsAt(lock, 'package'), text, 'package');
  const isOwn = prepareOwn(lock);
  const own = tables.filter(isOwn);
  // A lockfile of a script has requirements instead of an own package.
  const direct = [
    ...own.flatMap(listAsks),
    ...itemsAt(lock, 'manifest', 'requirements').map(toAsk),
  ];
  const packages = tables.filter((table) => !isOwn(table)).map(readPackage);
  const contents = gather(
    [...listFound(packages, direct), ...listBuildPins(lock)],
    own.flatMap((table) => textAt(table, 'name') ?? []),
    tables.flatMap(readSource),
  );
  return { ...contents, builds: listBuilds(packages) };
};

export const uvLock: FormatReader = {
  format: 'uv.lock',
  // uv names the lockfile of a script after the script.
  named: /(?:^|\/)uv\.lock$|\.py\.lock$/,
  read,
};
