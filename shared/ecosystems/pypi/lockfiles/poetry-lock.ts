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
} from '../../lockfiles/syntax/syntax-node.ts';
import { listTables, parseTomlTree } from '../../lockfiles/syntax/toml.ts';
import {
  findForeignFile,
  listBuilds,
  listFileNames,
  listFound,
  type PythonPackage,
  toAsk,
} from './packages.ts';

const sources = { git: 'git', url: 'url', file: 'file', directory: 'file' } as const;

const isSource = (type: string | undefined): type is keyof typeof sources =>
  type !== undefined && Object.hasOwn(sources, type);

/** Returns the files of a package, from its table, or from the list of all packages up to Poetry 1.4. */
const listFiles = (table: SyntaxNode, lock: SyntaxNode): readonly SyntaxNode[] =>
  findAt(table, 'files')
    ? itemsAt(table, 'files')
    : itemsAt(lock, 'metadata', 'files', textAt(table, 'name') ?? '');

const readPackage = (table: SyntaxNode, lock: SyntaxNode): PythonPackage => {
  const type = textAt(table, 'source', 'type');
  const url = textAt(table, 'source', 'url') ?? '';
  const commit = textAt(table, 'source', 'resolved_reference');
  const files = listFiles(table, lock);
  return {
    name: textAt(table, 'name') ?? '',
    version: textAt(table, 'version'),
    line: table.line,
    asks: [...membersAt(table, 'dependencies').keys()].map((name) => ({ name })),
    // The type "legacy" means another index, with the same package name.
    elsewhere: isSource(type)
      ? { reason: sources[type], detail: commit ? `${url}#${commit}` : url }
      : findForeignFile(files.flatMap(listFileNames), toAsk(table)),
    hashes: files.flatMap((file) => textAt(file, 'hash') ?? []),
    addresses: files.flatMap((file) => textAt(file, 'url') ?? []),
    files: files.flatMap((file) => textAt(file, 'file') ?? []),
  };
};

const readSource = (table: SyntaxNode): DeclaredSource[] => {
  const [type, address] = ['type', 'url'].map((part) => textAt(table, 'source', part));
  return isSource(type) || address === undefined
    ? []
    : [{ ecosystem: 'pypi', kind: 'index', address, line: table.line }];
};

/** Returns the contents of Poetry's lockfile, which does not list direct dependencies. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  if (!findAt(lock, 'metadata') && !findAt(lock, 'package')) {
    throw new UnreadableDependencyFileError(
      'It is no lockfile of Poetry: it has neither packages nor metadata. Write it with poetry lock',
    );
  }
  const tables = listTables(itemsAt(lock, 'package'), text, 'package');
  const packages = tables.map((table) => readPackage(table, lock));
  const contents = gather(listFound(packages), [], tables.flatMap(readSource));
  return { ...contents, builds: listBuilds(packages) };
};

export const poetryLock: FormatReader = {
  format: 'poetry.lock',
  named: /(?:^|\/)poetry\.lock$/,
  read,
};
