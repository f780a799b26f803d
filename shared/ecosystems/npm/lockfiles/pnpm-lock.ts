import { type GraphNode, prepareChains } from '../../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsAt,
  membersAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { parseYamlTrees } from '../../lockfiles/syntax/yaml.ts';
import {
  dropPeers,
  identify,
  judgeResolution,
  type PnpmPackage,
  readContent,
} from './pnpm-package.ts';

const lists = ['dependencies', 'optionalDependencies', 'devDependencies'];
/** Lists of packages that configure or provide pnpm itself. */
const setUpLists = ['configDependencies', 'packageManagerDependencies'];

/** A folder of the project with its direct dependencies. */
interface Importer {
  readonly path: string;
  readonly asks: readonly (readonly [name: string, reference: string, line: number | undefined])[];
}

const readImporter = ([path, tree]: readonly [string, SyntaxNode]): Importer => ({
  path,
  asks: [...lists, ...setUpLists].flatMap((list) =>
    [...membersAt(tree, list)].map(
      ([name, asked]) =>
        [name, textAt(asked, 'version') ?? textOf(asked) ?? '', asked.line] as const,
    ),
  ),
});

/** Returns the importers. Before version 9, a project without a workspace has none: its lists are at the top. */
const listImporters = (lock: SyntaxNode): Importer[] => {
  const importers = [...membersAt(lock, 'importers')];
  return (importers.length > 0 ? importers : [['.', lock] as const]).map(readImporter);
};

/** Returns the possible package keys of a reference: as versions 9, 6 and 5 write them, and the reference itself. */
const listKeys = (name: string, reference: string): string[] => [
  `${name}@${reference}`,
  `/${name}@${reference}`,
  `/${name}/${reference}`,
  reference,
];

/** Returns a relative path resolved against a folder: `../core` from `packages/web` is `packages/core`. */
const joinPath = (from: string, to: string): string => {
  const parts: string[] = [];
  for (const part of `${from}/${to}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '.';
};

/** Returns the names of the project's members by folder, and the linked folders outside the project. */
const readLinks = (importers: readonly Importer[]) => {
  const names = new Map(importers.map(({ path }) => [path, path]));
  const outside: Found[] = [];
  for (const { path, asks } of importers) {
    for (const [name, reference, line] of asks) {
      if (!reference.startsWith('link:')) continue;
      const target = joinPath(path, reference.slice('link:'.length));
      if (names.has(target)) names.set(target, name);
      else outside.push({ text: `${name}@${reference}`, reason: 'file', line });
    }
  }
  return { names, outside };
};

const readBundled = ({ label, entry }: PnpmPackage): Found[] => {
  const detail = `inside ${label}`;
  return itemsAt(entry, 'bundledDependencies').map((bundled) => {
    const text = textOf(bundled) ?? '';
    return { text, reason: 'no_version', detail, line: bundled.line };
  });
};

const readPackage = (
  one: PnpmPackage,
  own: ReadonlyMap<string, string>,
  through: readonly string[] | undefined,
): Found[] => {
  const { name, version, label, entry } = one;
  const { line } = entry;
  if (own.has(textAt(entry, 'resolution', 'directory') ?? '')) return [];
  const elsewhere = judgeResolution(one);
  const found: Found = elsewhere
    ? { text: label, ...elsewhere, line }
    : { ecosystem: 'npm', name, version, line, through, ...readContent(entry) };
  return [found, ...readBundled(one)];
};

const refuseEmpty = (what: string, line: number | undefined): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `${what}${line === undefined ? '' : ` in line ${line}`} is empty. Write the file with pnpm install --lockfile-only`,
  );

/**
 * Checks that no entry is empty, because the packages of an empty entry are unknown.
 * @throws {UnreadableDependencyFileError} at an empty entry
 */
const checkEntries = (lock: SyntaxNode): void => {
  for (const list of ['importers', 'packages', 'snapshots']) {
    for (const [name, entry] of membersAt(lock, list)) {
      if (!(entry.content instanceof Map)) throw refuseEmpty(`${list}: ${name}`, entry.line);
    }
  }
  if (membersAt(lock, 'packages').size > 0) return;
  const asks = listImporters(lock).flatMap((importer) => importer.asks);
  const asked = asks.find(([, reference]) => !reference.startsWith('link:'));
  if (asked) throw refuseEmpty(`It asks for ${asked[0]}, and packages`, asked[2]);
};

const readLock = (lock: SyntaxNode): { found: Found[]; own: string[] } => {
  const version = textAt(lock, 'lockfileVersion') ?? '';
  if (!/^[5-9](?:\.\d+)?$/.test(version)) {
    throw new UnreadableDependencyFileError(
      `Its lockfileVersion is ${version || 'not given'}; 5 to 9 are read. Write it with pnpm 5 to 12: pnpm install --lockfile-only`,
    );
  }
  checkEntries(lock);
  const packages = new Map(
    [...membersAt(lock, 'packages')].map(([key, entry]) => [key, identify(key, entry, version)]),
  );
  // Since version 9, `snapshots` lists the dependencies of packages.
  const asking = findAt(lock, 'snapshots')
    ? membersAt(lock, 'snapshots')
    : membersAt(lock, 'packages');
  const resolve = (name: string, reference: string): string[] =>
    listKeys(name, reference)
      .filter((key) => asking.has(key))
      .slice(0, 1);
  const graph = new Map<string, GraphNode<string>>();
  for (const [key, entry] of asking) {
    const { label } = packages.get(key) ?? packages.get(dropPeers(key)) ?? { label: key };
    const needs = lists.flatMap((list) =>
      [...membersAt(entry, list)].flatMap(([name, to]) => resolve(name, textOf(to) ?? '')),
    );
    graph.set(key, { label, needs });
  }
  const importers = listImporters(lock);
  const direct = importers.flatMap(({ asks }) =>
    asks.flatMap(([name, reference]) => resolve(name, reference)),
  );
  const findChain = prepareChains(graph, direct);
  const shortest = new Map<string, readonly string[]>();
  for (const key of asking.keys()) {
    const chain = findChain(key);
    const known = shortest.get(dropPeers(key));
    if (chain && (!known || chain.length < known.length)) shortest.set(dropPeers(key), chain);
  }
  const { names, outside } = readLinks(importers);
  const found = [...packages].flatMap(([key, one]) =>
    readPackage(one, names, shortest.get(dropPeers(key))),
  );
  return { found: [...found, ...outside], own: [...names.values()] };
};

/** Returns the contents of a pnpm lockfile. Since pnpm 11, a first YAML document lists the packages of pnpm itself. */
const read = (text: string): Contents => {
  const locks = parseYamlTrees(text, { keepsNulls: true }).map(readLock);
  if (locks.length === 0)
    throw new UnreadableDependencyFileError(
      'It is empty. Write it with pnpm install --lockfile-only',
    );
  return gather(
    locks.flatMap(({ found }) => found),
    locks.flatMap(({ own }) => own),
  );
};

export const pnpmLock: FormatReader = {
  format: 'pnpm-lock.yaml',
  named: /(?:^|\/)pnpm-lock\.yaml$/,
  read,
};
