import { type GraphNode, prepareChains } from '../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../lockfiles/format-reader.ts';
import { gather } from '../lockfiles/gather.ts';
import { parseJsonTree } from '../lockfiles/syntax/json.ts';
import {
  findAt,
  itemsAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../lockfiles/syntax/syntax-node.ts';
import { type Entry, incompleteBill, isMember, nameOwn, readEntry } from './component.ts';

/** Types of components that are packages. An application also counts as a package if it has a version. */
const packageTypes = ['library', 'framework', 'container', 'machine-learning-model'];

const labelOf = (component: SyntaxNode): string => {
  const separator = textAt(component, 'purl')?.startsWith('pkg:maven/') ? ':' : '/';
  const name = ['group', 'name'].flatMap((part) => textAt(component, part) ?? []).join(separator);
  const version = textAt(component, 'version');
  return version === undefined ? name : `${name}@${version}`;
};

/** Returns the stated licenses, joined by `AND`, because all of them apply; undefined if there are none. */
const readLicense = (component: SyntaxNode): string | undefined =>
  itemsAt(component, 'licenses')
    .flatMap(
      (one) =>
        textAt(one, 'expression') ??
        textAt(one, 'license', 'id') ??
        textAt(one, 'license', 'name') ??
        [],
    )
    .join(' AND ') || undefined;

const isDistribution = (reference: SyntaxNode): boolean =>
  textAt(reference, 'type') === 'distribution';

/** Returns the hashes of the component, or else those of its distribution files. */
const listHashes = (component: SyntaxNode): string[] => {
  const own = itemsAt(component, 'hashes');
  const got = itemsAt(component, 'externalReferences').filter(isDistribution);
  return (own.length > 0 ? own : got.flatMap((one) => itemsAt(one, 'hashes'))).map(
    (hash) => `${textAt(hash, 'alg')}:${textAt(hash, 'content')}`,
  );
};

const toEntry = (component: SyntaxNode): Entry => {
  const [type = '', version] = ['type', 'version'].map((part) => textAt(component, part));
  return {
    label: labelOf(component),
    purl: textAt(component, 'purl'),
    version,
    license: readLicense(component),
    address: textAt(itemsAt(component, 'externalReferences').find(isDistribution), 'url'),
    hashes: listHashes(component),
    folder: textAt(
      itemsAt(component, 'properties').find(
        (property) => textAt(property, 'name') === 'cdx:npm:package:path',
      ),
      'value',
    ),
    line: component.line,
    isPackage: packageTypes.includes(type) || (type === 'application' && version !== undefined),
  };
};

/** Returns all components, including nested components. */
const listComponents = (bill: SyntaxNode): SyntaxNode[] => {
  const all: SyntaxNode[] = [];
  const waiting = [
    ...itemsAt(bill, 'components'),
    ...itemsAt(bill, 'metadata', 'component', 'components'),
  ];
  for (const component of waiting) {
    all.push(component);
    for (const inner of itemsAt(component, 'components')) waiting.push(inner);
  }
  return all;
};

const referenceOf = (component: SyntaxNode): string => textAt(component, 'bom-ref') ?? '';

/** Builds the dependency graph. A component that is no package, such as a lockfile, gets no label in chains. */
const buildGraph = (bill: SyntaxNode, components: readonly SyntaxNode[]) => {
  const labels = new Map(
    components.map((component) => {
      const { label, purl, isPackage } = toEntry(component);
      return [referenceOf(component), purl || isPackage ? label : undefined] as const;
    }),
  );
  const graph = new Map<string, GraphNode<string>>(
    [...labels].map(([reference, label]) => [reference, { label, needs: [] }]),
  );
  for (const one of itemsAt(bill, 'dependencies')) {
    const reference = textAt(one, 'ref') ?? '';
    const needs = itemsAt(one, 'dependsOn').flatMap((other) => textOf(other) ?? []);
    graph.set(reference, { label: labels.get(reference), needs });
  }
  return graph;
};

/**
 * True if the document declares that it lacks, or may lack, components or dependencies. A composition that only covers
 * vulnerabilities is ignored. Source: `compositions` of CycloneDX 1.7.
 */
const isIncomplete = (bill: SyntaxNode): boolean =>
  itemsAt(bill, 'compositions').some((one) => {
    const ofVulnerabilities =
      itemsAt(one, 'vulnerabilities').length > 0 &&
      itemsAt(one, 'assemblies').length + itemsAt(one, 'dependencies').length === 0;
    return !ofVulnerabilities && /^(?:incomplete|unknown$)/.test(textAt(one, 'aggregate') ?? '');
  });

const read = (text: string): Contents => {
  const bill = parseJsonTree(text);
  const version = textAt(bill, 'specVersion');
  if (textAt(bill, 'bomFormat') !== 'CycloneDX' || !version || !/^1\.\d+$/.test(version)) {
    throw new UnreadableDependencyFileError(
      'It is no CycloneDX document of version 1: its bomFormat must be CycloneDX, and its specVersion 1.2 to 1.7.',
    );
  }
  const itself = findAt(bill, 'metadata', 'component');
  const root = itself ? referenceOf(itself) : '';
  const components = listComponents(bill).filter(
    (component) => root === '' || referenceOf(component) !== root,
  );
  const own = components.filter((component) => isMember(toEntry(component)));
  const others = components.filter((component) => !isMember(toEntry(component)));
  const graph = buildGraph(bill, components);
  const roots = [...(itself ? [itself] : []), ...own].map(referenceOf).filter(Boolean);
  const direct = roots.flatMap((reference) => [...(graph.get(reference)?.needs ?? [])]);
  const findChain = prepareChains(graph, direct);
  const contents = gather(
    others.map((component) => readEntry(toEntry(component), findChain(referenceOf(component)))),
    [...(itself ? [itself] : []), ...own].map((one) => nameOwn(toEntry(one))),
  );
  return { ...contents, ...(isIncomplete(bill) && { incomplete: incompleteBill }) };
};

const hasXml = /^\s*<(?:\?xml|bom)\b.{0,2000}?cyclonedx\.org\/schema\/bom/s;

export const cycloneDx: FormatReader = {
  format: 'cyclonedx',
  named: /(?:^|\/)bom\.json$|\.cdx\.json$/,
  recognises: (text) => /"bomFormat"\s*:\s*"CycloneDX"/.test(text) || hasXml.test(text),
  read: (text) => {
    if (hasXml.test(text)) {
      throw new UnreadableDependencyFileError(
        'It is CycloneDX as XML, which is not read: write it as JSON (cyclonedx convert --output-format json).',
      );
    }
    return read(text);
  },
};
