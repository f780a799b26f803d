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

/** Values of `primaryPackagePurpose` that mark an installed package. */
const packagePurposes = [undefined, 'LIBRARY', 'FRAMEWORK', 'APPLICATION', 'CONTAINER', 'OTHER'];

const idOf = (tree: SyntaxNode): string => textAt(tree, 'SPDXID') ?? '';

const findPurl = (one: SyntaxNode): string | undefined => {
  const reference = itemsAt(one, 'externalRefs').find(
    (external) => textAt(external, 'referenceType') === 'purl',
  );
  return textAt(reference, 'referenceLocator');
};

const isStated = (license: string | undefined): boolean =>
  license !== undefined && license !== 'NOASSERTION' && license !== 'NONE';

const toEntry = (one: SyntaxNode): Entry => {
  const [name = idOf(one), version] = ['name', 'versionInfo'].map((part) => textAt(one, part));
  return {
    label: version === undefined ? name : `${name}@${version}`,
    purl: findPurl(one),
    version,
    license: [textAt(one, 'licenseDeclared'), textAt(one, 'licenseConcluded')].find(isStated),
    address: textAt(one, 'downloadLocation'),
    hashes: itemsAt(one, 'checksums').map(
      (sum) => `${textAt(sum, 'algorithm')}:${textAt(sum, 'checksumValue')}`,
    ),
    folder: textAt(one, 'packageFileName'),
    line: one.line,
    isPackage: packagePurposes.includes(textAt(one, 'primaryPackagePurpose')),
  };
};

interface Relation {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

const listRelations = (bill: SyntaxNode): Relation[] =>
  itemsAt(bill, 'relationships').map((one) => ({
    from: textAt(one, 'spdxElementId') ?? '',
    type: textAt(one, 'relationshipType') ?? '',
    to: textAt(one, 'relatedSpdxElement') ?? '',
  }));

/** Returns the dependency edge of a relation, also for inverse types such as `DEV_DEPENDENCY_OF`. */
const toNeed = ({ from, type, to }: Relation): [by: string, what: string][] => {
  if (type === 'DEPENDS_ON' || type === 'HAS_PREREQUISITE') return [[from, to]];
  return /DEPENDENCY_OF$|^PREREQUISITE_FOR$/.test(type) ? [[to, from]] : [];
};

/** Returns the IDs of the elements that the document describes, which are the project itself. */
const listDescribed = (bill: SyntaxNode, relations: readonly Relation[]): Set<string> =>
  new Set([
    ...itemsAt(bill, 'documentDescribes').flatMap((id) => textOf(id) ?? []),
    ...relations.flatMap(({ from, type, to }) =>
      type === 'DESCRIBES' ? to : type === 'DESCRIBED_BY' ? from : [],
    ),
  ]);

const buildGraph = (packages: readonly SyntaxNode[], relations: readonly Relation[]) => {
  const graph = new Map<string, GraphNode<string> & { readonly needs: string[] }>(
    packages.map((one) => [idOf(one), { label: toEntry(one).label, needs: [] }]),
  );
  for (const [by, what] of relations.flatMap(toNeed)) graph.get(by)?.needs.push(what);
  return graph;
};

/**
 * True if the document declares that a package may have more dependencies, or that a described element may contain
 * more. Source: "known unknowns" in section 11.1 of SPDX 2.3.
 */
const isIncomplete = (relations: readonly Relation[], described: ReadonlySet<string>): boolean =>
  relations.flatMap(toNeed).some(([, what]) => what === 'NOASSERTION') ||
  relations.some(
    ({ from, type, to }) => type === 'CONTAINS' && to === 'NOASSERTION' && described.has(from),
  );

const readBill = (bill: SyntaxNode): Contents => {
  const packages = itemsAt(bill, 'packages');
  const relations = listRelations(bill);
  const described = listDescribed(bill, relations);
  // If the document describes every package, no package counts as the project itself.
  const isOwn = (one: SyntaxNode): boolean =>
    isMember(toEntry(one)) || (described.size < packages.length && described.has(idOf(one)));
  const graph = buildGraph(packages, relations);
  const own = packages.filter(isOwn);
  const findChain = prepareChains(
    graph,
    own.flatMap((one) => [...(graph.get(idOf(one))?.needs ?? [])]),
  );
  const contents = gather(
    packages
      .filter((one) => !isOwn(one))
      .map((one) => readEntry(toEntry(one), findChain(idOf(one)))),
    own.map((one) => nameOwn(toEntry(one))),
  );
  const lacks = isIncomplete(relations, described);
  return { ...contents, ...(lacks && { incomplete: incompleteBill }) };
};

const hasTags = /^SPDXVersion:\s*SPDX-/m;
const isThird = /"@context"\s*:\s*\[?\s*"https?:\/\/spdx\.org\/rdf\/3/;

const read = (text: string): Contents => {
  const advice = 'write it as JSON of version 2.3 (syft convert, or trivy sbom --format spdx-json)';
  if (hasTags.test(text)) {
    throw new UnreadableDependencyFileError(
      `It is SPDX as tags and values, which is not read: ${advice}.`,
    );
  }
  if (isThird.test(text)) {
    throw new UnreadableDependencyFileError(`It is SPDX 3, which is not read: ${advice}.`);
  }
  const document = parseJsonTree(text);
  // GitHub's export wraps the document in an `sbom` member.
  const bill = findAt(document, 'sbom') ?? document;
  if (!/^SPDX-2\.\d+$/.test(textAt(bill, 'spdxVersion') ?? '')) {
    throw new UnreadableDependencyFileError(
      `It is no SPDX document of version 2: its spdxVersion must be SPDX-2.2 or SPDX-2.3; ${advice}.`,
    );
  }
  return readBill(bill);
};

export const spdx: FormatReader = {
  format: 'spdx',
  named: /\.spdx(?:\.json)?$/,
  recognises: (text) =>
    /"spdxVersion"\s*:\s*"SPDX-/.test(text) || hasTags.test(text) || isThird.test(text),
  read,
};
