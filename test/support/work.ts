/** A fixed computation, as a reference for the machine's speed. */
const computeYardstick = (): void => {
  const rows = Array.from({ length: 40_000 }, (_, at) => ({
    at,
    name: `name-${(at * 7919) % 40_000}`,
  }));
  const text = JSON.stringify(rows.sort((one, other) => (one.name < other.name ? -1 : 1)));
  JSON.parse(text);
};

const measureOnce = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** The minimum of several tries, because other load of the machine only adds time. */
const measureLeast = (work: () => unknown, tries: number): number =>
  Math.min(...Array.from({ length: tries }, () => measureOnce(work)));

/**
 * The processor time of some work, as a multiple of a fixed computation on the same machine at the same time. It shows whether
 * work grows faster than its input, independent of the machine's speed.
 */
export const measureWork = (work: () => unknown, tries = 1): number =>
  measureLeast(work, tries) / measureLeast(computeYardstick, 3);
