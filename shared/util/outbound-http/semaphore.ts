/** Runs work when a permit is available. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a semaphore with `width` permits. Work starts in the order of the calls. */
export const createSemaphore = (width: number): Semaphore => {
  let free = width;
  const waiting: (() => void)[] = [];
  const take = (): Promise<void> => {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free -= 1;
    return Promise.resolve();
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (work) => {
    await take();
    try {
      return await work();
    } finally {
      give();
    }
  };
};
