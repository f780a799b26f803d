/** Does the work for each item in `width` lanes, which are told by their numbers; the outcomes come in the order of the items. */
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
