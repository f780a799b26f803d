import { decodeUri } from '../../../util/decode-uri.ts';
import { type GraphNode, prepareChains } from '../../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { membersOf, type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { cutAfter, cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { parseYamlTrees } from '../../lockfiles/syntax/yaml.ts';
import { listNeeds } from './needs.ts';
import { judgeOrigin, splitLocator, toContent } from './specs.ts';

/** One version with all descriptors that request it, such as `lodash@npm:^4.17.0`. */
interface Entry {
  readonly descriptors: readonly string[];
  /** Name of the installed package, in `name@npm:1.0.0`. */
  readonly name: string;
  readonly reference: string;
  readonly tree: SyntaxNode;
}

/** Maximum number of nested patches. Real projects have fewer. */
const mostPatches = 10;

/** Returns the locator of the package below its patches: `name@patch:name@npm%3A1.0.0#…` patches `name@npm:1.0.0`. */
const dropPatches = (resolution: string): string => {
  let locator = resolution;
  for (let count = 0; count < mostPatches; count += 1) {
    const { reference } = splitLocator(locator);
    if (!reference.startsWith('patch:')) break;
    locator = decodeUri(cutBefore(cutAfter(reference, 'patch:'), '#'));
  }
  return locator;
};

const readEntry = ([key, tree]: readonly [string, SyntaxNode]): Entry => ({
  descriptors: key.split(/,\s*/),
  ...splitLocator(dropPatches(textAt(tree, 'resolution') ?? key)),
  tree,
});

const isOwn = ({ reference }: Entry): boolean => reference.startsWith('workspace:');

const labelOf = ({ name, reference, tree }: Entry): string =>
  `${name}@${reference.startsWith('npm:') ? cutBefore(cutAfter(reference, 'npm:'), '::') : (textAt(tree, 'version') ?? reference)}`;

/** Returns the archive URL in `npm:1.0.0::__archiveUrl=…`; Yarn writes it for non-standard URLs only. */
const readArchive = (reference: string): string | undefined =>
  new URLSearchParams(cutAfter(reference, '::')).get('__archiveUrl') ?? undefined;

const toFound = (entry: Entry, through: readonly string[] | undefined): Found => {
  const { name, reference, tree } = entry;
  const { line } = tree;
  if (!reference.startsWith('npm:')) {
    const text = labelOf(entry);
    const elsewhere = judgeOrigin({ name, version: undefined, address: reference });
    return { text, ...(elsewhere ?? { reason: 'unreadable', detail: reference }), line };
  }
  const version = cutBefore(cutAfter(reference, 'npm:'), '::');
  const address = readArchive(reference);
  const elsewhere = judgeOrigin({ name, version, address });
  if (elsewhere) return { text: labelOf(entry), ...elsewhere, line };
  // The checksum covers an archive that Yarn builds, so it matches no hash of the registry.
  return { ecosystem: 'npm', name, version, line, through, ...toContent(undefined, address) };
};

/**
 * Returns a lookup of entries by name and range. The lookup uses the descriptor, which lacks `npm:` in dependencies up
 * to version 6, or else the name if it is unique.
 */
const prepareLookup = (entries: readonly Entry[]) => {
  const byDescriptor = new Map<string, Entry>();
  const byName = new Map<string, Entry | undefined>();
  for (const entry of entries) {
    for (const descriptor of entry.descriptors) {
      byDescriptor.set(cutBefore(descriptor, '::'), entry);
      const { name } = splitLocator(descriptor);
      byName.set(name, byName.has(name) ? undefined : entry);
    }
  }
  return (name: string, range: string): Entry[] => {
    const found =
      byDescriptor.get(`${name}@${range}`) ??
      byDescriptor.get(`${name}@npm:${range}`) ??
      byName.get(name);
    return found ? [found] : [];
  };
};

const parse = (text: string): Entry[] => {
  const [lock] = parseYamlTrees(text);
  const members = [...membersOf(lock)].filter(([key]) => key !== '__metadata');
  const version = textAt(lock, '__metadata', 'version') ?? '';
  if (!/^\d+$/.test(version)) {
    throw new UnreadableDependencyFileError(
      'Its __metadata has no version. Have Yarn write it anew: yarn install',
    );
  }
  return members.map(readEntry);
};

/** Returns the contents of a lockfile of Yarn 2 or later. */
export const readBerryLock = (text: string): Contents => {
  const entries = parse(text);
  const find = prepareLookup(entries);
  const graph = new Map<Entry, GraphNode<Entry>>(
    entries.map((entry) => [
      entry,
      {
        label: labelOf(entry),
        needs: listNeeds(entry.tree, ['dependencies', 'optionalDependencies']).flatMap(
          ([name, range]) => find(name, range),
        ),
      },
    ]),
  );
  const own = entries.filter(isOwn);
  const direct = own.flatMap((entry) => [...(graph.get(entry)?.needs ?? [])]);
  const findChain = prepareChains(graph, direct);
  return gather(
    entries.filter((entry) => !isOwn(entry)).map((entry) => toFound(entry, findChain(entry))),
    own.map(({ name }) => name),
  );
};
