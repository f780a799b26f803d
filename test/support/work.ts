/** Computes something that a slow machine takes longer for, by as much as for anything else. */
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

/** The least of several tries: whatever else a machine does adds to the others. */
const measureLeast = (work: () => unknown, tries: number): number =>
  Math.min(...Array.from({ length: tries }, () => measureOnce(work)));

/**
 * The processor time of some work, as a multiple of that of a fixed computation on the same machine at the same time. It tells
 * work that grows faster than what it is given from work that does not, however fast the machine is.
 */
export const measureWork = (work: () => unknown, tries = 1): number =>
  measureLeast(work, tries) / measureLeast(computeYardstick, 3);
