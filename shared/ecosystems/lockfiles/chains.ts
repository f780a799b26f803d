/** A package in the dependency graph of a file. */
export interface GraphNode<K> {
  /** Label in a chain, as `name@version`. Undefined for a node that only groups others, such as versions. */
  readonly label: string | undefined;
  /** Keys of the direct dependencies. Keys that are not in the graph are ignored. */
  readonly needs: Iterable<K>;
}

/** Packages by the key that identifies them in their file. */
export type Graph<K> = ReadonlyMap<K, GraphNode<K>>;

/** Longer chains are omitted: they are unreadable, and many packages could each have one. */
const longestChain = 100;

interface Step {
  readonly by: Step | undefined;
  readonly label: string | undefined;
  readonly length: number;
}

const walk = <K>(graph: Graph<K>, direct: Iterable<K>): ReadonlyMap<K, Step> => {
  const steps = new Map<K, Step>();
  const add = (key: K, by: Step | undefined): void => {
    const node = graph.get(key);
    if (!node || steps.has(key)) return;
    steps.set(key, { by, label: node.label, length: by ? by.length + 1 : 0 });
  };
  for (const key of direct) add(key, undefined);
  // A loop over a map also visits entries that are added during the loop. So the map is the queue of this search.
  for (const [key, step] of steps) for (const next of graph.get(key)?.needs ?? []) add(next, step);
  return steps;
};

/**
 * Returns a function that finds the shortest dependency chain from a direct dependency of the project to a package.
 * Cycles are allowed. The function returns undefined for an unreachable package or a chain above the limit.
 */
export const prepareChains = <K>(
  graph: Graph<K>,
  direct: Iterable<K>,
): ((key: K) => readonly string[] | undefined) => {
  const steps = walk(graph, direct);
  return (key) => {
    const found = steps.get(key);
    if (!found || found.length > longestChain) return undefined;
    const chain: string[] = [];
    for (let step = found.by; step; step = step.by) if (step.label) chain.push(step.label);
    return chain.reverse();
  };
};

/** Returns the keys that no other package depends on. If a file lists no direct dependencies, these keys are used. */
export const listUnneeded = <K>(graph: Graph<K>): K[] => {
  const needed = new Set<K>();
  for (const [key, { needs }] of graph)
    for (const next of needs) if (next !== key) needed.add(next);
  return [...graph.keys()].filter((key) => !needed.has(key));
};
