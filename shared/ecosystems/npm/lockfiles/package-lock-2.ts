import { groupBy } from '../../../util/group-by.ts';
import { type Graph, prepareChains } from '../../lockfiles/chains.ts';
import type { Dependency } from '../../lockfiles/dependency-file.ts';
import type { Contents } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { judgeSpec } from '../../lockfiles/spec-kind.ts';
import { findAt, membersAt, type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { findFrom, newPlace, type Place, placeInside } from './installed-paths.ts';
import { listNeeds, listOwnNeeds } from './needs.ts';
import { listNested } from './package-lock-1.ts';
import { judgeOrigin, toContent } from './specs.ts';
import { prepareMembers } from './workspaces.ts';

/** A package that is installed, or a folder of the project. */
interface Installed {
  readonly path: string;
  readonly place: Place;
  readonly entry: SyntaxNode;
  /** Name of its folder in `node_modules`; undefined for a folder of the project. */
  readonly calledAs: string | undefined;
}

/** Returns all entries of `packages`. Keys are paths, such as `node_modules/a/node_modules/b` or `workspaces/c`. */
const placeAll = (lock: SyntaxNode): Installed[] => {
  const root = newPlace();
  const folders = new Map([['', root]]);
  const findFolder = (path: string): Place => {
    const place = folders.get(path) ?? newPlace(root);
    folders.set(path, place);
    return place;
  };
  return [...membersAt(lock, 'packages')].map(([path, entry]) => {
    const [folder = '', ...names] = path.split(/(?:^|\/)node_modules\//);
    const place = names.reduce(placeInside, findFolder(folder));
    place.entry = entry;
    return { path, place, entry, calledAs: names.at(-1) };
  });
};

const isLink = (entry: SyntaxNode): boolean => textAt(entry, 'link') === 'true';

const nameOf = ({ entry, calledAs, path }: Installed): string =>
  textAt(entry, 'name') ?? calledAs ?? path;

const labelOf = (one: Installed): string =>
  `${nameOf(one)}@${textAt(one.entry, 'version') ?? textAt(one.entry, 'resolved') ?? one.path}`;

/** A resolved dependency of a package, with its specifier. */
interface Ask {
  readonly target: Place;
  readonly spec: string;
}

/** Returns a function that resolves the place of a link to its target folder, and returns any other place unchanged. */
const prepareTargets = (all: readonly Installed[]): ((place: Place) => Place) => {
  const byPath = new Map(all.map(({ path, place }) => [path, place]));
  return (place) =>
    (place.entry && isLink(place.entry) && byPath.get(textAt(place.entry, 'resolved') ?? '')) ||
    place;
};

const resolveAll = (all: readonly Installed[]): ReadonlyMap<Installed, readonly Ask[]> => {
  const follow = prepareTargets(all);
  const find = ({ place, entry, calledAs }: Installed): Ask[] =>
    (calledAs === undefined ? listOwnNeeds(entry) : listNeeds(entry)).flatMap(([name, spec]) => {
      const found = findFrom(place, name);
      return found ? [{ target: follow(found), spec }] : [];
    });
  return new Map(all.map((one) => [one, find(one)]));
};

const buildGraph = (resolved: ReadonlyMap<Installed, readonly Ask[]>): Graph<Place> =>
  new Map(
    [...resolved].map(([one, asks]) => [
      one.place,
      { label: labelOf(one), needs: asks.map(({ target }) => target) },
    ]),
  );

/**
 * True if both halves of the file pin the same package: name and version, and hashes and addresses where both halves
 * have them.
 */
const isSame = (one: Dependency, other: Dependency): boolean => {
  const theirs = new Set(other.hashes);
  const isElsewhere = one.addresses?.some(
    (address) => other.addresses?.includes(address) === false,
  );
  const isOther =
    theirs.size > 0 && one.hashes?.length && !one.hashes.some((hash) => theirs.has(hash));
  return one.name === other.name && one.version === other.version && !isOther && !isElsewhere;
};

/**
 * Returns the differences between `dependencies` and `packages` of a version 2 lockfile. npm 6 installs from
 * `dependencies`, later releases from `packages`. Both versions are listed, so that each is checked.
 */
const listContradictions = (
  lock: SyntaxNode,
  byPath: ReadonlyMap<string, readonly Found[]>,
): Found[] =>
  listNested(lock).flatMap(([path, other]): Found[] => {
    const found = byPath.get(path);
    if (!found) return [other];
    const [one] = found;
    const isPinned = one !== undefined && !('reason' in one);
    if ('reason' in other) {
      return isPinned ? [{ ...other, reason: 'contradiction', detail: path }] : [];
    }
    if (isPinned && isSame(one, other)) return [];
    const text = `${other.name}@${other.version}`;
    return [other, { text, reason: 'contradiction', detail: path, line: other.line }];
  });

/** Reads the `packages` of npm's lockfile, versions 2 and 3, and their `dependencies`. */
export const readPackagesLock = (lock: SyntaxNode): Contents => {
  const all = placeAll(lock);
  const resolved = resolveAll(all);
  const graph = buildGraph(resolved);
  const asks = groupBy([...resolved.values()].flat(), ({ target }) => target);
  const listSpecs = ({ place }: Installed): string[] =>
    (asks.get(place) ?? []).map(({ spec }) => spec);
  const isMember = prepareMembers(findAt(lock, 'packages', '', 'workspaces'));
  /** Returns the file specifier of a folder outside the workspaces; undefined for members and without one. */
  const asFile = (one: Installed): string | undefined =>
    isMember(one.path) ? undefined : listSpecs(one).find((spec) => judgeSpec(spec) === 'file');
  const folders = all.filter(({ calledAs }) => calledAs === undefined);
  const own = folders.filter((one) => asFile(one) === undefined);
  const findChain = prepareChains(
    graph,
    own.flatMap(({ place }) => [...(graph.get(place)?.needs ?? [])]),
  );

  const paths = new Set(all.map(({ path }) => path));
  const read = (one: Installed): Found[] => {
    const { entry, place } = one;
    const { line } = entry;
    const name = nameOf(one);
    if (one.calledAs === undefined) {
      const spec = asFile(one);
      return spec === undefined ? [] : [{ text: `${name}@${spec}`, reason: 'file', line }];
    }
    const [version, address] = [textAt(entry, 'version'), textAt(entry, 'resolved')];
    if (isLink(entry)) {
      return paths.has(address ?? '') ? [] : [{ text: `${name}@${address}`, reason: 'file', line }];
    }
    const elsewhere = judgeOrigin({ name, version, specs: listSpecs(one), address });
    if (elsewhere) return [{ text: labelOf(one), ...elsewhere, line }];
    if (version === undefined) return [{ text: name, reason: 'no_version', line }];
    const license = textAt(entry, 'license');
    const content = toContent(textAt(entry, 'integrity'), address);
    const through = findChain(place);
    return [{ ecosystem: 'npm', name, version, license, line, through, ...content }];
  };
  const linked = new Map(all.map(({ entry, calledAs }) => [textAt(entry, 'resolved'), calledAs]));
  const byPath = new Map(all.map((one) => [one.path, read(one)]));
  return gather(
    [...[...byPath.values()].flat(), ...listContradictions(lock, byPath)],
    own.map((one) => textAt(one.entry, 'name') ?? linked.get(one.path) ?? one.path),
  );
};
