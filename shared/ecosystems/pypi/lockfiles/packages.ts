import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import { decodeUri } from '../../../util/decode-uri.ts';
import { groupBy } from '../../../util/group-by.ts';
import { type GraphNode, prepareChains } from '../../lockfiles/chains.ts';
import type { Builds, UnpinnedReason } from '../../lockfiles/dependency-file.ts';
import { cleanText, type Found } from '../../lockfiles/gather.ts';
import { type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { readFileVersion } from '../file-name.ts';
import { canonicalizePep440 } from '../pep440.ts';

/** A dependency of a package: a name, and a version if the file has one. */
export interface Ask {
  readonly name: string;
  readonly version?: string | undefined;
}

/** A package of a Python lockfile. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string | undefined;
  readonly line: number | undefined;
  readonly asks: readonly Ask[];
  /** Source of the package, if not an index. */
  readonly elsewhere?: { readonly reason: UnpinnedReason; readonly detail: string } | undefined;
  readonly hashes?: readonly string[];
  readonly addresses?: readonly string[];
  /** Names or URLs of the files. */
  readonly files?: readonly string[];
}

const spell = (name: string): string => canonicalizeName('pypi', name);

const labelOf = ({ name, version }: Ask): string =>
  version === undefined ? name : `${name}@${version}`;

const keyOf = ({ name, version }: Ask): string => labelOf({ name: spell(name), version });

/**
 * Returns the dependency graph. Requested names and versions are nodes between packages: a name may have several
 * versions by platform, and a dependency on the name leads to all of them.
 */
const buildGraph = (packages: readonly PythonPackage[]) => {
  const graph = new Map<PythonPackage | string, GraphNode<PythonPackage | string>>();
  for (const one of packages) {
    graph.set(one, { label: labelOf(one), needs: one.asks.map(keyOf) });
  }
  const stops = packages.flatMap((one) =>
    [...new Set([spell(one.name), keyOf(one)])].map((key) => ({ key, one })),
  );
  for (const [key, group] of groupBy(stops, (stop) => stop.key)) {
    graph.set(key, { label: undefined, needs: group.map(({ one }) => one) });
  }
  return graph;
};

/** Returns packages that no other package requires. They count as direct if the file lists no direct dependencies. */
const listUnasked = (packages: readonly PythonPackage[]): PythonPackage[] => {
  const asked = new Set(
    packages.flatMap(({ name, asks }) =>
      asks.map((ask) => spell(ask.name)).filter((other) => other !== spell(name)),
    ),
  );
  return packages.filter(({ name }) => !asked.has(spell(name)));
};

/** Returns the packages of a lockfile with their chains. `direct` has the direct dependencies if the file lists any. */
export const listFound = (packages: readonly PythonPackage[], direct?: readonly Ask[]): Found[] => {
  const graph = buildGraph(packages);
  const hasGraph = direct !== undefined || packages.some(({ asks }) => asks.length > 0);
  const findChain = hasGraph
    ? prepareChains(graph, direct?.map(keyOf) ?? listUnasked(packages))
    : () => undefined;
  return packages.map((one): Found => {
    const { name, version, line, elsewhere } = one;
    if (elsewhere) return { text: labelOf(one), ...elsewhere, line };
    if (version === undefined) return { text: name, reason: 'no_version', line };
    const { hashes, addresses } = one;
    return { ecosystem: 'pypi', name, version, line, through: findChain(one), hashes, addresses };
  });
};

/** Returns a URL without query and fragment, which could end like another file's name. */
const pathOf = (file: string): string => cutBefore(cutBefore(file, '#'), '?');

const isWheel = (file: string): boolean => /\.whl$/i.test(pathOf(file));

/** Returns the packages of a lockfile that have no wheel, so that installation builds them. */
export const listBuilds = (packages: readonly PythonPackage[]): Builds => ({
  packages: packages
    .filter(({ elsewhere, files = [] }) => !elsewhere && files.length > 0 && !files.some(isWheel))
    .map((one) => cleanText(labelOf(one))),
  ...{ mayBeMore: false, requires: [] },
});

/** True for legacy formats, whose file names have no parsable version. */
const isLegacy = (file: string): boolean => /\.(?:egg|exe|msi|rpm|deb)$/i.test(file);

/**
 * True if a file's name does not match the package and version. Source: PEP 427 for wheels; PEP 625 and earlier names
 * for source archives.
 */
const isOfAnother = (file: string, { name, version }: Ask): boolean => {
  const base = decodeUri(pathOf(file).split(/[/\\]/).at(-1) ?? '');
  if (isLegacy(base)) return !spell(base).startsWith(`${spell(name)}-`);
  const found = readFileVersion(base, spell(name));
  if (found === undefined) return true;
  return version !== undefined && canonicalizePep440(found) !== canonicalizePep440(version);
};

/** Returns the name and the URL of a file, as far as given, because installers differ in which one they use. */
export const listFileNames = (file: SyntaxNode): readonly string[] =>
  ['file', 'url'].flatMap((part) => textAt(file, part) ?? []);

/** Returns the first file that belongs to another package or version, as a source outside the index; or undefined. */
export const findForeignFile = (
  files: readonly string[],
  named: Ask,
): PythonPackage['elsewhere'] => {
  const other = files.find((file) => isOfAnother(file, named));
  return other === undefined ? undefined : { reason: 'url', detail: other };
};

/** Returns the name and version of an entry in a dependency list. */
export const toAsk = (table: SyntaxNode): Ask => ({
  name: textAt(table, 'name') ?? '',
  version: textAt(table, 'version'),
});
