import { UnreadableDependencyFileError } from '../dependency-file.ts';

/**
 * A JSON, YAML or TOML value and its line. Numbers and booleans are text, and null values are omitted, so that readers
 * are independent of a file's spelling. Names are keys of a `Map`, because a name such as `__proto__` has a special
 * meaning in a JavaScript object.
 */
export interface SyntaxNode {
  /** Line, counted from 1; for a value in a mapping, the line of its name. Undefined if the parser reports no lines. */
  readonly line: number | undefined;
  /** Offset of a text that the file has literally. Undefined for all others, and if the parser was not asked for it. */
  readonly at?: number;
  readonly content: string | readonly SyntaxNode[] | ReadonlyMap<string, SyntaxNode>;
}

const none: ReadonlyMap<string, SyntaxNode> = new Map();

/** Returns the members of a mapping; an empty map for any other value. */
export const membersOf = (tree: SyntaxNode | undefined): ReadonlyMap<string, SyntaxNode> =>
  tree?.content instanceof Map ? tree.content : none;

/** Returns the value at a path of names; undefined if any name on the path is missing. */
export const findAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): SyntaxNode | undefined => path.reduce((found, name) => membersOf(found).get(name), tree);

/** Returns the members of the mapping at a path; an empty map if the path has no mapping. */
export const membersAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): ReadonlyMap<string, SyntaxNode> => membersOf(findAt(tree, ...path));

/** Returns the entries of a list; an empty array for any other value. */
export const itemsOf = (tree: SyntaxNode | undefined): readonly SyntaxNode[] =>
  Array.isArray(tree?.content) ? tree.content : [];

/** Returns the entries of the list at a path; an empty array if the path has no list. */
export const itemsAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): readonly SyntaxNode[] => itemsOf(findAt(tree, ...path));

/** Returns the trimmed text of a value; undefined if the value is no text or blank. */
export const textOf = (tree: SyntaxNode | undefined): string | undefined =>
  typeof tree?.content === 'string' ? tree.content.trim() || undefined : undefined;

/** Returns the trimmed text at a path; undefined if the path has no text or blank text. */
export const textAt = (
  tree: SyntaxNode | undefined,
  ...path: readonly string[]
): string | undefined => textOf(findAt(tree, ...path));

/** Returns the error for a text with a syntax error, with the line if it is known. */
export const refuseSyntax = (language: string, fault: string, line: number | undefined) =>
  new UnreadableDependencyFileError(
    `It is no valid ${language}: ${fault}${line === undefined ? '' : ` in line ${line}`}. Have the tool that wrote it write it anew.`,
  );
