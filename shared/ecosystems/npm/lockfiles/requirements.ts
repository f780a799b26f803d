import { membersAt, type SyntaxNode, textOf } from '../../lockfiles/syntax/syntax-node.ts';

/** What a package of npm asks for, by the names that it calls it. */
export type Needs = readonly (readonly [name: string, spec: string])[];

const installed = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** What the lists of that name in a manifest ask for; by default those that are installed with a package. */
export const listNeeds = (
  manifest: SyntaxNode | undefined,
  lists: readonly string[] = installed,
): Needs =>
  lists.flatMap((list) =>
    [...membersAt(manifest, list)].map(([name, spec]) => [name, textOf(spec) ?? ''] as const),
  );

/** What the project itself asks for: also what it is developed with. */
export const listOwnNeeds = (manifest: SyntaxNode | undefined): Needs =>
  listNeeds(manifest, [...installed, 'devDependencies']);
