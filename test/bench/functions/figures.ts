/** Statistics of measurement rounds: medians, and ratios within each round. */

/** The median; with an even number of values, the upper of the middle two. */
const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[at] ?? Number.NaN;
};

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** One round: the processor time of each candidate, in microseconds. */
export type Round = Readonly<Record<string, number>>;

export interface Ratio {
  readonly rounds: number;
  /** The median, in microseconds of processor time. */
  readonly microseconds: number;
  /** Ratio to the base within each round: the median, and the range of the middle 80 % of rounds. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
}

const edge = 0.1;

/** Compares each candidate with the base. Other load of the machine affects both alike within a round. */
export const compare = (
  rounds: readonly Round[],
  base: string,
): Readonly<Record<string, Ratio>> => {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const times = rounds.map((round) => round[name] ?? Number.NaN);
      const ratios = rounds.map(
        (round) => (round[name] ?? Number.NaN) / (round[base] ?? Number.NaN),
      );
      return [
        name,
        {
          rounds: rounds.length,
          microseconds: Math.round(median(times) * 10) / 10,
          ratio: median(ratios),
          from: quantile(ratios, edge),
          to: quantile(ratios, 1 - edge),
        },
      ];
    }),
  );
};
