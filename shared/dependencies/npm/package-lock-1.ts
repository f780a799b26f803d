import { type GraphNode, listUnneeded, prepareChains } from '../chains.ts';
import type { Contents } from '../format-reader.ts';
import { type Found, gather } from '../gather.ts';
import { membersAt, type Tree, textAt } from '../syntax/tree.ts';
import { findFrom, newPlace, type Place, placeInside } from './places.ts';
import { judgeOrigin, readAlias, readVersionAt } from './specs.ts';

interface Installed {
  readonly place: Place;
  readonly entry: Tree;
  readonly calledAs: string;
}

/** Places the `dependencies`, which have those inside them in a list of the same name. */
const placeAll = (lock: Tree): Installed[] => {
  const all: Installed[] = [];
  const waiting: [Place, Tree][] = [[newPlace(), lock]];
  for (const [around, holder] of waiting) {
    for (const [calledAs, entry] of membersAt(holder, 'dependencies')) {
      const place = placeInside(around, calledAs);
      place.entry = entry;
      all.push({ place, entry, calledAs });
      waiting.push([place, entry]);
    }
  }
  return all;
};

/** What is installed: of an alias, what it stands for. Its version may also be an address. */
const identify = ({ entry, calledAs }: Installed): { name: string; version: string } => {
  const version = textAt(entry, 'version') ?? '';
  // For a while npm wrote down the address alone.
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
  return { ecosystem: 'npm', name, version, line, through };
};

/**
 * Reads the nested `dependencies` of npm's lockfile, version 1. It does not say what the project asks for: that is
 * taken to be what nothing else asks for.
 */
export const readNestedLock = (lock: Tree): Contents => {
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
  const found = all.map((one) => read(one, findChain(one.place)));
  return gather(found, [textAt(lock, 'name') ?? '']);
};
