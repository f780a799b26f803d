import { type GraphNode, prepareChains } from '../../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { parseJsonTree } from '../../lockfiles/syntax/json.ts';
import {
  findAt,
  itemsOf,
  membersAt,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { findFrom, newPlace, type Place, placeInside } from './installed-paths.ts';
import { listNeeds, listOwnNeeds, type Needs } from './needs.ts';
import { judgeOrigin, splitLocator, toContent } from './specs.ts';

/** An entry such as `"a/@b/c": ["@b/c@1.0.0", "", { … }, "sha512-…"]`: the package `@b/c` inside `a`. */
interface Installed {
  readonly place: Place;
  readonly name: string;
  /** Version, or the source outside a registry. */
  readonly reference: string;
  /** URL of the tarball, if not from the configured registry. */
  readonly address: string | undefined;
  readonly needs: Needs;
  readonly integrity: string | undefined;
  readonly line: number | undefined;
}

const readEntry = (root: Place, [path, entry]: readonly [string, SyntaxNode]): Installed => {
  const [locator, ...details] = itemsOf(entry);
  const place = (path.match(/(?:@[^/]*\/)?[^/]+/g) ?? []).reduce(placeInside, root);
  place.entry = entry;
  const address = textOf(details[0]);
  return {
    place,
    ...splitLocator(textOf(locator) ?? ''),
    address: address?.includes('.tgz') ? address : undefined,
    needs: listNeeds(details.find(({ content }) => content instanceof Map)),
    integrity: details.length > 1 ? textOf(details.at(-1)) : undefined,
    line: entry.line,
  };
};

const isOwn = ({ reference }: Installed): boolean => /^(?:workspace|root):/.test(reference);

const resolve = (place: Place, needs: Needs): Place[] =>
  needs.flatMap(([name]) => findFrom(place, name) ?? []);

const toFound = (one: Installed, through: readonly string[] | undefined): Found => {
  const { name, reference, address, line } = one;
  const text = `${name}@${reference}`;
  const elsewhere = judgeOrigin({ name, version: reference, specs: [reference], address });
  if (elsewhere) return { text, ...elsewhere, line };
  const content = toContent(one.integrity, address);
  return { ecosystem: 'npm', name, version: reference, line, through, ...content };
};

const read = (text: string): Contents => {
  const lock = parseJsonTree(text, { lax: true });
  const version = textAt(lock, 'lockfileVersion');
  if (!version || !/^[012]$/.test(version) || !findAt(lock, 'packages')) {
    throw new UnreadableDependencyFileError(
      `Its lockfileVersion is ${version ?? 'not given'}; 0 to 2 are read. Write it with bun install --save-text-lockfile`,
    );
  }
  const root = newPlace();
  const all = [...membersAt(lock, 'packages')].map((entry) => readEntry(root, entry));
  const graph = new Map<Place, GraphNode<Place>>(
    all.map(({ place, name, reference, needs }) => [
      place,
      { label: `${name}@${reference}`, needs: resolve(place, needs) },
    ]),
  );
  const members = [...membersAt(lock, 'workspaces')].map(([path, member]) => ({
    member,
    name: textAt(member, 'name') ?? path,
  }));
  const direct = members.flatMap(({ member, name }) =>
    resolve(root.inside.get(name) ?? root, listOwnNeeds(member)),
  );
  const findChain = prepareChains(graph, direct);
  const found = all.filter((one) => !isOwn(one)).map((one) => toFound(one, findChain(one.place)));
  return gather(
    found,
    members.map(({ name }) => name),
  );
};

export const bunLock: FormatReader = {
  format: 'bun.lock',
  named: /(?:^|\/)bun\.lock$/,
  read,
};
