/** A package as others ask for it. */
export interface GraphNode<K> {
  /** How it is called in a chain: `name@version`. Undefined for what only stands for others, such as a name for its versions. */
  readonly label: string | undefined;
  /** The keys of those that it asks for; of those that are not in the graph, nothing is said. */
  readonly needs: Iterable<K>;
}

/** Packages by whatever tells them apart in their file. */
export type Graph<K> = ReadonlyMap<K, GraphNode<K>>;

/** Longer chains are not told: nobody reads them, and each of many packages would have one. */
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
  // What is added while a map is gone through comes last, which makes it the queue of this search.
  for (const [key, step] of steps) for (const next of graph.get(key)?.needs ?? []) add(next, step);
  return steps;
};

/**
 * Prepares for telling what pulled a package in: the shortest way down to it from what the project itself asks for.
 * Circles do no harm. Undefined for what none of these leads to.
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

/** Those that nothing else asks for: in a file that does not say what the project asks for, these it must be. */
export const listUnneeded = <K>(graph: Graph<K>): K[] => {
  const needed = new Set<K>();
  for (const [key, { needs }] of graph)
    for (const next of needs) if (next !== key) needed.add(next);
  return [...graph.keys()].filter((key) => !needed.has(key));
};
