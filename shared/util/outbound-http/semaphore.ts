/** Lets work begin as its turn comes. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** So many at once, in the order in which they came. */
export const createTurns = (width: number): Turns => {
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
