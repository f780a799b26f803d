import type { SyntaxNode } from './syntax-node.ts';

/** Builds a syntax tree from the start and end events of a parser. */
export interface TreeBuilder {
  /** Opens a mapping or a list. The following values belong to it until `close`. */
  readonly open: (content: Map<string, SyntaxNode> | SyntaxNode[], line: number) => SyntaxNode;
  readonly close: () => void;
  /** Sets the name of the next value in the open mapping. */
  readonly name: (name: string, line: number) => void;
  /** True if the next value in the open mapping has no name yet. */
  readonly awaitsName: () => boolean;
  readonly put: (content: SyntaxNode['content'], line: number, at?: number) => SyntaxNode;
  /** Adds no value and drops the name that was set for it. */
  readonly skip: () => void;
  /** Values at the top level. */
  readonly roots: readonly SyntaxNode[];
}

interface Opened {
  readonly content: Map<string, SyntaxNode> | SyntaxNode[];
  name?: { readonly text: string; readonly line: number } | undefined;
}

export const startTreeBuilder = (): TreeBuilder => {
  const roots: SyntaxNode[] = [];
  const opened: Opened[] = [];
  const put: TreeBuilder['put'] = (content, line, at) => {
    const place = opened.at(-1);
    const tree = {
      line: place?.name?.line ?? line,
      content,
      ...(at !== undefined && { at }),
    };
    if (!place) roots.push(tree);
    else if (Array.isArray(place.content)) place.content.push(tree);
    else if (place.name) place.content.set(place.name.text, tree);
    if (place) place.name = undefined;
    return tree;
  };
  return {
    roots,
    put,
    open: (content, line) => {
      const tree = put(content, line);
      opened.push({ content });
      return tree;
    },
    close: () => void opened.pop(),
    name: (text, line) => {
      const place = opened.at(-1);
      if (place) place.name = { text, line };
    },
    awaitsName: () => {
      const place = opened.at(-1);
      return place?.content instanceof Map && place.name === undefined;
    },
    skip: () => {
      const place = opened.at(-1);
      if (place) place.name = undefined;
    },
  };
};
