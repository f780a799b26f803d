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

/** PDM writes what a package asks for as PEP 508 does. */
const toAsks = (requirement: SyntaxNode): Ask[] => {
  const read = readRequirement(textOf(requirement) ?? '');
  return 'name' in read && read.name !== undefined ? [{ name: read.name }] : [];
};

/** The files of a package: beside it, or before lock version 4.4 in a list of all packages. */
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

/** Why a file is no lockfile that PDM reads as this reader does. */
const explainRefusal = (lock: SyntaxNode): string | undefined => {
  const version = textAt(lock, 'metadata', 'lock_version');
  if (version === undefined) return 'It is no lockfile of PDM: it has no lock_version';
  // Releases of PDM that know PEP 751 then install `packages`, and earlier ones `package`.
  if (findAt(lock, 'lock-version') || findAt(lock, 'packages')) {
    return 'It has lock-version or packages at its top, as a pylock.toml has. Some releases of PDM then read nothing else';
  }
  return /^[1-4](?:\.\d+)*$/.test(version)
    ? undefined
    : `Its lock_version is ${version}; up to 4.5 is read`;
};

/** It names no index, and does not say what the project asks for. A package stands once more for each of its extras. */
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
