/**
 * Runs `work` for each item, at most `width` at once. Returns the results in the order of the items. `lane` numbers the
 * concurrent runs from 0. After a failure, no further item begins. The failure is thrown when the running ones have ended, so
 * that nothing goes on behind the caller's back.
 */
export const runInParallel = async <T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, lane: number) => Promise<R>,
): Promise<R[]> => {
  const outcomes: R[] = [];
  const queue = items.entries();
  let hasFailed = false;
  const follow = async (lane: number): Promise<void> => {
    for (const [at, item] of queue) {
      if (hasFailed) return;
      try {
        outcomes[at] = await work(item, lane);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(
    Array.from({ length: Math.min(width, items.length) }, (_, lane) => follow(lane)),
  );
  const failed = lanes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return outcomes;
};
