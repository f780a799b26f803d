import { UnreadableDependencyFileError } from '../dependency-file.ts';

/**
 * A value as JSON, YAML or TOML has them, and where it stands. Numbers and truth values are text, and what is null is
 * left out of mappings, so that no reader minds in which spelling a file has them. Names are keys of a `Map`: none
 * means anything to JavaScript.
 */
export interface SyntaxNode {
  /** From 1; of a value in a mapping, the line of its name. Undefined where the parser does not say. */
  readonly line: number | undefined;
  readonly content: string | readonly SyntaxNode[] | ReadonlyMap<string, SyntaxNode>;
}

const none: ReadonlyMap<string, SyntaxNode> = new Map();

/** The mapping that a value is; an empty one if it is something else. */
export const membersOf = (tree: SyntaxNode | undefined): ReadonlyMap<string, SyntaxNode> =>
  tree?.content instanceof Map ? tree.content : none;

/** What stands at a path of names; undefined if anything on the way is missing. */
export const findAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): SyntaxNode | undefined => path.reduce((found, name) => membersOf(found).get(name), tree);

/** The mapping that stands there; an empty one if none does. */
export const membersAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): ReadonlyMap<string, SyntaxNode> => membersOf(findAt(tree, ...path));

/** The entries of a value that is a list; none if it is something else. */
export const itemsOf = (tree: SyntaxNode | undefined): readonly SyntaxNode[] =>
  Array.isArray(tree?.content) ? tree.content : [];

/** The entries of the list that stands there. */
export const itemsAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): readonly SyntaxNode[] => itemsOf(findAt(tree, ...path));

/** The text that a value is, without blanks around it; undefined if it is something else, or blank. */
export const textOf = (tree: SyntaxNode | undefined): string | undefined =>
  typeof tree?.content === 'string' ? tree.content.trim() || undefined : undefined;

/** The text that stands there. */
export const textAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): string | undefined => textOf(findAt(tree, ...path));

/** Says that a text is not what it is to be, and where. */
export const refuseSyntax = (language: string, fault: string, line: number | undefined) =>
  new UnreadableDependencyFileError(
    `It is no valid ${language}: ${fault}${line === undefined ? '' : ` in line ${line}`}. Have the tool that wrote it write it anew.`,
  );
