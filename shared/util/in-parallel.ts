/**
 * Runs `work` for each item, at most `width` at once. Returns the results in the order of the items. `lane` numbers the
 * concurrent runs from 0.
 */
export const runInParallel = async <T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, lane: number) => Promise<R>,
): Promise<R[]> => {
  const outcomes: R[] = [];
  const queue = items.entries();
  const follow = async (lane: number): Promise<void> => {
    for (const [at, item] of queue) outcomes[at] = await work(item, lane);
  };
  await Promise.all(
    Array.from({ length: Math.min(width, items.length) }, (_, lane) => follow(lane)),
  );
  return outcomes;
};
