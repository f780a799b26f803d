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

/** What a package asks for: a name, and a version where the file says which one. */
export interface Ask {
  readonly name: string;
  readonly version?: string | undefined;
}

/** A package of a lockfile of Python. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string | undefined;
  readonly line: number | undefined;
  readonly asks: readonly Ask[];
  /** Where it comes from, if not from an index. */
  readonly elsewhere?: { readonly reason: UnpinnedReason; readonly detail: string } | undefined;
  readonly hashes?: readonly string[];
  readonly addresses?: readonly string[];
  /** The names of its files, or their addresses. */
  readonly files?: readonly string[];
}

const spell = (name: string): string => canonicalizeName('pypi', name);

const labelOf = ({ name, version }: Ask): string =>
  version === undefined ? name : `${name}@${version}`;

const keyOf = ({ name, version }: Ask): string => labelOf({ name: spell(name), version });

/**
 * Who asks for whom. Names and versions that are asked for stand between: a name may have several versions, by platform,
 * and each asks for all of them.
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

/** Those that nothing else asks for: in a file that does not say what the project asks for, these it must be. */
const listUnasked = (packages: readonly PythonPackage[]): PythonPackage[] => {
  const asked = new Set(
    packages.flatMap(({ name, asks }) =>
      asks.map((ask) => spell(ask.name)).filter((other) => other !== spell(name)),
    ),
  );
  return packages.filter(({ name }) => !asked.has(spell(name)));
};

/** What the packages of a lockfile are; what the project asks for, if the file says so. */
export const listFound = (packages: readonly PythonPackage[], direct?: readonly Ask[]): Found[] => {
  const graph = buildGraph(packages);
  const tells = direct !== undefined || packages.some(({ asks }) => asks.length > 0);
  const findChain = tells
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

/** The path of an address, without query and fragment, which may end as another file does. */
const pathOf = (file: string): string => cutBefore(cutBefore(file, '#'), '?');

const isWheel = (file: string): boolean => /\.whl$/i.test(pathOf(file));

/** Returns the packages of a lockfile that have a source distribution alone, so that each is built when it is installed. */
export const listBuilds = (packages: readonly PythonPackage[]): Builds => ({
  packages: packages
    .filter(({ elsewhere, files = [] }) => !elsewhere && files.length > 0 && !files.some(isWheel))
    .map((one) => cleanText(labelOf(one))),
  ...{ mayBeMore: false, requires: [] },
});

/** Installers of long ago, of which the name says no version that can be told. */
const isLegacy = (file: string): boolean => /\.(?:egg|exe|msi|rpm|deb)$/i.test(file);

/**
 * Whether the name of a file that is to be installed says that it is of another package, or of another version: a wheel
 * (PEP 427), or a source archive (PEP 625, and as they were called before).
 */
const isOfAnother = (file: string, { name, version }: Ask): boolean => {
  const base = decodeUri(pathOf(file).split(/[/\\]/).at(-1) ?? '');
  if (isLegacy(base)) return !spell(base).startsWith(`${spell(name)}-`);
  const found = readFileVersion(base, spell(name));
  if (found === undefined) return true;
  return version !== undefined && canonicalizePep440(found) !== canonicalizePep440(version);
};

/** Returns the name of a file of a package and its address: both where both are given, as installers differ. */
export const listFileNames = (file: SyntaxNode): readonly string[] =>
  ['file', 'url'].flatMap((part) => textAt(file, part) ?? []);

/** Where a package comes from that is called so: elsewhere, if one of its files says that it is of another one. */
export const findForeignFile = (
  files: readonly string[],
  named: Ask,
): PythonPackage['elsewhere'] => {
  const other = files.find((file) => isOfAnother(file, named));
  return other === undefined ? undefined : { reason: 'url', detail: other };
};

/** What an entry of a list of dependencies asks for. */
export const toAsk = (table: SyntaxNode): Ask => ({
  name: textAt(table, 'name') ?? '',
  version: textAt(table, 'version'),
});
