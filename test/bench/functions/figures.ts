/** What rounds of measurements say: medians, and ratios within each round. */

/** Of an odd number the one in the middle, of an even number the upper of the two. */
const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[at] ?? Number.NaN;
};

const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** One round: what each candidate took, in microseconds of processor time. */
export type Round = Readonly<Record<string, number>>;

export interface Ratio {
  readonly rounds: number;
  /** The median, in microseconds of processor time. */
  readonly microseconds: number;
  /** To the base, within the same round: the median, and where the middle eight tenths of the rounds lie. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
}

const edge = 0.1;

/** Each candidate beside the base. What a machine does meanwhile befalls both alike, where both ran in one round. */
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
