import type { Random } from '../../support/random.ts';

/** The faults of an engine call. The last three take longer than the timeout of a call. */
export const faults = [
  'throttled',
  'failed',
  'conflict',
  'cut before',
  'cut after',
  'late',
  'slow',
  'stalled',
] as const;
export type Fault = (typeof faults)[number];

/** The number of calls with each fault, per thousand. */
export type FaultShares = Readonly<Partial<Record<Fault, number>>>;

export const quick: FaultShares = {
  ...{ throttled: 20, failed: 10, conflict: 150 },
  ...{ 'cut before': 10, 'cut after': 20 },
};

/** Each long fault takes three seconds, so only one history in six has them. */
const withLong: FaultShares = { ...quick, late: 3, slow: 3, stalled: 3 };

export const chooseShares = (random: Random): FaultShares =>
  random.below(6) === 0 ? withLong : quick;

export const drawFault = (random: Random, shares: FaultShares): Fault | undefined => {
  let draw = random.below(1000);
  return faults.find((fault) => {
    draw -= shares[fault] ?? 0;
    return draw < 0;
  });
};
