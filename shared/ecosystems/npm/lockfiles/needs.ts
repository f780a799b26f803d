import { membersAt, type SyntaxNode, textOf } from '../../lockfiles/syntax/syntax-node.ts';

/** Dependencies of an npm package: pairs of name (or alias) and specifier. */
export type Needs = readonly (readonly [name: string, spec: string])[];

const installed = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns the dependencies in these lists of a manifest; by default, the lists that consumers install. */
export const listNeeds = (
  manifest: SyntaxNode | undefined,
  lists: readonly string[] = installed,
): Needs =>
  lists.flatMap((list) =>
    [...membersAt(manifest, list)].map(([name, spec]) => [name, textOf(spec) ?? ''] as const),
  );

/** Returns the dependencies of the project itself, including `devDependencies`. */
export const listOwnNeeds = (manifest: SyntaxNode | undefined): Needs =>
  listNeeds(manifest, [...installed, 'devDependencies']);
