import { type GraphNode, listUnneeded, prepareChains } from '../../lockfiles/chains.ts';
import type { Contents } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { membersAt, type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { findFrom, newPlace, type Place, placeInside } from './installed-paths.ts';
import { judgeOrigin, readAlias, readVersionAt, toContent } from './specs.ts';

interface Installed {
  /** Path in the form of the keys of `packages`: `node_modules/a/node_modules/b`. */
  readonly path: string;
  readonly place: Place;
  readonly entry: SyntaxNode;
  readonly calledAs: string;
}

/** Returns all packages of the `dependencies` and of the `dependencies` nested in each of them. */
const placeAll = (lock: SyntaxNode): Installed[] => {
  const all: Installed[] = [];
  const waiting: [Place, SyntaxNode, string][] = [[newPlace(), lock, '']];
  for (const [around, holder, folder] of waiting) {
    for (const [calledAs, entry] of membersAt(holder, 'dependencies')) {
      const place = placeInside(around, calledAs);
      place.entry = entry;
      const path = `${folder}node_modules/${calledAs}`;
      all.push({ path, place, entry, calledAs });
      waiting.push([place, entry, `${path}/`]);
    }
  }
  return all;
};

/** Returns the installed package, for an alias its target. The version may also be a URL. */
const identify = ({ entry, calledAs }: Installed): { name: string; version: string } => {
  const version = textAt(entry, 'version') ?? '';
  // Some releases of npm wrote the URL only.
  const at = readVersionAt(version, calledAs);
  return readAlias(version) ?? { name: calledAs, version: at ?? version };
};

const read = (one: Installed, through: readonly string[] | undefined): Found => {
  const { name, version } = identify(one);
  const { line } = one.entry;
  const address = textAt(one.entry, 'resolved');
  const text = `${name}@${version}`;
  const elsewhere = judgeOrigin({ name, version, specs: [version], address });
  if (elsewhere) return { text, ...elsewhere, line };
  if (version === '') return { text: name, reason: 'no_version', line };
  const written = textAt(one.entry, 'version') ?? '';
  // Some releases of npm wrote the URL as the version.
  const got = address ?? (readVersionAt(written, one.calledAs) === undefined ? undefined : written);
  const content = toContent(textAt(one.entry, 'integrity'), got);
  return { ecosystem: 'npm', name, version, line, through, ...content };
};

/**
 * Returns the packages of the nested `dependencies` of npm's lockfile, each with its folder. The file does not list
 * direct dependencies: packages that no other package requires count as direct.
 */
export const listNested = (
  lock: SyntaxNode,
): readonly (readonly [path: string, found: Found])[] => {
  const all = placeAll(lock);
  const graph = new Map<Place, GraphNode<Place>>(
    all.map((one) => {
      const { name, version } = identify(one);
      const asked = [...membersAt(one.entry, 'requires').keys()];
      const needs = asked.flatMap((needed) => findFrom(one.place, needed) ?? []);
      return [one.place, { label: `${name}@${version}`, needs }];
    }),
  );
  const findChain = prepareChains(graph, listUnneeded(graph));
  return all.map((one) => [one.path, read(one, findChain(one.place))] as const);
};

/** Reads npm's lockfile, version 1. */
export const readNestedLock = (lock: SyntaxNode): Contents =>
  gather(
    listNested(lock).map(([, found]) => found),
    [textAt(lock, 'name') ?? ''],
  );
