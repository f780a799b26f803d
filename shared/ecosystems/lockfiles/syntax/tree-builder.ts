import type { Tree } from './syntax-node.ts';

/** Puts a tree together from the beginnings and ends that a parser tells of. */
export interface Plant {
  /** Opens a mapping or a list, which what follows belongs to until it is closed. */
  readonly open: (content: Map<string, Tree> | Tree[], line: number) => Tree;
  readonly close: () => void;
  /** Names the next value of the mapping that is open. */
  readonly name: (name: string, line: number) => void;
  /** Whether the next value of the mapping that is open has no name yet. */
  readonly awaitsName: () => boolean;
  readonly put: (content: Tree['content'], line: number) => Tree;
  /** Puts nothing: the name that waits is dropped. */
  readonly skip: () => void;
  /** What was put outside of everything. */
  readonly roots: readonly Tree[];
}

interface Opened {
  readonly content: Map<string, Tree> | Tree[];
  name?: { readonly text: string; readonly line: number } | undefined;
}

export const startPlant = (): Plant => {
  const roots: Tree[] = [];
  const opened: Opened[] = [];
  const put = (content: Tree['content'], line: number): Tree => {
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
