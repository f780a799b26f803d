import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { listTables, parseTomlTree } from '../../lockfiles/syntax/toml.ts';
import {
  type Ask,
  findForeignFile,
  listBuilds,
  listFileNames,
  listFound,
  type PythonPackage,
} from './packages.ts';
import { readRequirement } from './requirement.ts';

const sources = {
  git: 'git',
  hg: 'git',
  svn: 'git',
  bzr: 'git',
  url: 'url',
  path: 'file',
} as const;

/** Returns the name in a PEP 508 requirement, as PDM writes dependencies; empty if the requirement has none. */
const toAsks = (requirement: SyntaxNode): Ask[] => {
  const read = readRequirement(textOf(requirement) ?? '');
  return 'name' in read && read.name !== undefined ? [{ name: read.name }] : [];
};

/** Returns the files of a package, from its table, or from the list of all packages before lock version 4.4. */
const listFiles = (table: SyntaxNode, lock: SyntaxNode): readonly SyntaxNode[] => {
  if (findAt(table, 'files')) return itemsAt(table, 'files');
  const key = `${textAt(table, 'name') ?? ''} ${textAt(table, 'version') ?? ''}`;
  return itemsAt(lock, 'metadata', 'files', key);
};

const findElsewhere = (table: SyntaxNode): PythonPackage['elsewhere'] => {
  for (const [kind, reason] of Object.entries(sources)) {
    const detail = textAt(table, kind);
    const commit = textAt(table, 'revision');
    if (detail !== undefined) return { reason, detail: commit ? `${detail}#${commit}` : detail };
  }
  return undefined;
};

const readPackage = (table: SyntaxNode, lock: SyntaxNode): PythonPackage => {
  const [name = '', version] = ['name', 'version'].map((part) => textAt(table, part));
  const files = listFiles(table, lock);
  const named = { name, version };
  return {
    ...{ ...named, line: table.line },
    asks: itemsAt(table, 'dependencies').flatMap(toAsks),
    elsewhere: findElsewhere(table) ?? findForeignFile(files.flatMap(listFileNames), named),
    hashes: files.flatMap((file) => textAt(file, 'hash') ?? []),
    addresses: files.flatMap((file) => textAt(file, 'url') ?? []),
    files: files.flatMap((file) => textAt(file, 'url') ?? textAt(file, 'file') ?? []),
  };
};

const howToWrite = 'Write it with pdm lock';

/** Returns the reason to refuse a file that this reader may read otherwise than PDM; undefined if supported. */
const explainRefusal = (lock: SyntaxNode): string | undefined => {
  const version = textAt(lock, 'metadata', 'lock_version');
  if (version === undefined) return 'It is no lockfile of PDM: it has no lock_version';
  // PDM releases that support PEP 751 then install `packages`; earlier releases install `package`.
  if (findAt(lock, 'lock-version') || findAt(lock, 'packages')) {
    return 'It has lock-version or packages at its top, as a pylock.toml has. Some releases of PDM then read nothing else';
  }
  return /^[1-4](?:\.\d+)*$/.test(version)
    ? undefined
    : `Its lock_version is ${version}; up to 4.5 is read`;
};

/** Returns the contents of PDM's lockfile. It lists no index or direct dependencies, and repeats packages per extra. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  const refusal = explainRefusal(lock);
  if (refusal !== undefined) throw new UnreadableDependencyFileError(`${refusal}. ${howToWrite}`);
  const tables = listTables(itemsAt(lock, 'package'), text, 'package');
  const packages = tables.map((table) => readPackage(table, lock));
  return { ...gather(listFound(packages)), builds: listBuilds(packages) };
};

export const pdmLock: FormatReader = {
  format: 'pdm.lock',
  named: /(?:^|\/)pdm(?:\.[^/.]+)?\.lock$/,
  read,
};
