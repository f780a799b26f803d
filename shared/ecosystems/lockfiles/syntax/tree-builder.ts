import type { SyntaxNode } from './syntax-node.ts';

/** Puts a tree together from the beginnings and ends that a parser tells of. */
export interface TreeBuilder {
  /** Opens a mapping or a list, which what follows belongs to until it is closed. */
  readonly open: (content: Map<string, SyntaxNode> | SyntaxNode[], line: number) => SyntaxNode;
  readonly close: () => void;
  /** Names the next value of the mapping that is open. */
  readonly name: (name: string, line: number) => void;
  /** Whether the next value of the mapping that is open has no name yet. */
  readonly awaitsName: () => boolean;
  readonly put: (content: SyntaxNode['content'], line: number) => SyntaxNode;
  /** Puts nothing: the name that waits is dropped. */
  readonly skip: () => void;
  /** What was put outside of everything. */
  readonly roots: readonly SyntaxNode[];
}

interface Opened {
  readonly content: Map<string, SyntaxNode> | SyntaxNode[];
  name?: { readonly text: string; readonly line: number } | undefined;
}

export const startTreeBuilder = (): TreeBuilder => {
  const roots: SyntaxNode[] = [];
  const opened: Opened[] = [];
  const put = (content: SyntaxNode['content'], line: number): SyntaxNode => {
    const place = opened.at(-1);
    const tree = { line: place?.name?.line ?? line, content };
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
