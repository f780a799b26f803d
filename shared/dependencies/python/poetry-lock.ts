import { UnreadableDependencyFileError } from '../dependency-file.ts';
import type { Contents, FormatReader } from '../format-reader.ts';
import { gather } from '../gather.ts';
import { listTables, parseTomlTree } from '../syntax/toml.ts';
import { findAt, itemsAt, membersAt, type Tree, textAt } from '../syntax/tree.ts';
import { listFound, type PythonPackage } from './packages.ts';

const sources = { git: 'git', url: 'url', file: 'file', directory: 'file' } as const;

const isSource = (type: string | undefined): type is keyof typeof sources =>
  type !== undefined && Object.hasOwn(sources, type);

const readPackage = (table: Tree): PythonPackage => {
  const type = textAt(table, 'source', 'type');
  const url = textAt(table, 'source', 'url') ?? '';
  const commit = textAt(table, 'source', 'resolved_reference');
  return {
    name: textAt(table, 'name') ?? '',
    version: textAt(table, 'version'),
    line: table.line,
    asks: [...membersAt(table, 'dependencies').keys()].map((name) => ({ name })),
    // Of type "legacy" it comes from another index, under the same name.
    elsewhere: isSource(type)
      ? { reason: sources[type], detail: commit ? `${url}#${commit}` : url }
      : undefined,
  };
};

/** It does not say what the project asks for. */
const read = (text: string): Contents => {
  const lock = parseTomlTree(text);
  if (!findAt(lock, 'metadata') && !findAt(lock, 'package')) {
    throw new UnreadableDependencyFileError(
      'It is no lockfile of Poetry: it has neither packages nor metadata. Write it with poetry lock',
    );
  }
  return gather(listFound(listTables(itemsAt(lock, 'package'), text, 'package').map(readPackage)));
};

export const poetryLock: FormatReader = {
  format: 'poetry.lock',
  named: /(?:^|\/)poetry\.lock$/,
  read,
};
