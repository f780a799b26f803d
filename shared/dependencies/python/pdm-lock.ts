import { UnreadableDependencyFileError } from '../dependency-file.ts';
import type { Contents, FormatReader } from '../format-reader.ts';
import { gather } from '../gather.ts';
import { listTables, parseTomlTree } from '../syntax/toml.ts';
import { findAt, itemsAt, type Tree, textAt, textOf } from '../syntax/tree.ts';
import {
  type Ask,
  findForeignFile,
  listBuilds,
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
const toAsks = (requirement: Tree): Ask[] => {
  const read = readRequirement(textOf(requirement) ?? '');
  return 'name' in read && read.name !== undefined ? [{ name: read.name }] : [];
};

/** The files of a package: beside it, or before lock version 4.4 in a list of all packages. */
const listFiles = (table: Tree, lock: Tree): readonly Tree[] => {
  if (findAt(table, 'files')) return itemsAt(table, 'files');
  const key = `${textAt(table, 'name') ?? ''} ${textAt(table, 'version') ?? ''}`;
  return itemsAt(lock, 'metadata', 'files', key);
};

const findElsewhere = (table: Tree): PythonPackage['elsewhere'] => {
  for (const [kind, reason] of Object.entries(sources)) {
    const detail = textAt(table, kind);
    const commit = textAt(table, 'revision');
    if (detail !== undefined) return { reason, detail: commit ? `${detail}#${commit}` : detail };
  }
  return undefined;
};

const readPackage = (table: Tree, lock: Tree): PythonPackage => {
  const [name = '', version] = ['name', 'version'].map((part) => textAt(table, part));
  const files = listFiles(table, lock);
  const names = files.flatMap((file) => textAt(file, 'file') ?? textAt(file, 'url') ?? []);
  return {
    ...{ name, version, line: table.line },
    asks: itemsAt(table, 'dependencies').flatMap(toAsks),
    elsewhere: findElsewhere(table) ?? findForeignFile(names, { name, version }),
    hashes: files.flatMap((file) => textAt(file, 'hash') ?? []),
    addresses: files.flatMap((file) => textAt(file, 'url') ?? []),
    files: names,
  };
};

/** It names no index, and does not say what the project asks for. A package stands once more for each of its extras. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  if (textAt(lock, 'metadata', 'lock_version') === undefined) {
    throw new UnreadableDependencyFileError(
      'It is no lockfile of PDM: it has no lock_version. Write it with pdm lock',
    );
  }
  const tables = listTables(itemsAt(lock, 'package'), text, 'package');
  const packages = tables.map((table) => readPackage(table, lock));
  return { ...gather(listFound(packages)), builds: listBuilds(packages) };
};

export const pdmLock: FormatReader = {
  format: 'pdm.lock',
  named: /(?:^|\/)pdm(?:\.[^/.]+)?\.lock$/,
  read,
};
