import { itemsAt, itemsOf, type SyntaxNode, textOf } from '../../lockfiles/syntax/syntax-node.ts';

/**
 * Returns a function that is true for folders of a workspace. Patterns are single folders, direct subfolders
 * (`packages/*`), or all folders below one (`packages/**`).
 */
export const prepareMembers = (workspaces: SyntaxNode | undefined): ((path: string) => boolean) => {
  const patterns = [...itemsOf(workspaces), ...itemsAt(workspaces, 'packages')].map((pattern) =>
    (textOf(pattern) ?? '').replace(/^\.\//, '').replace(/\/$/, ''),
  );
  const exact = new Set(patterns);
  const below = patterns.filter((one) => one.endsWith('/**')).map((one) => one.slice(0, -2));
  return (path) =>
    exact.has(path) ||
    exact.has(`${path.slice(0, path.lastIndexOf('/') + 1)}*`) ||
    below.some((folder) => path.startsWith(folder));
};
