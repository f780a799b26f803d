import type { Random } from '../../support/random.ts';

/** What befalls a call of the engine. The last three last longer than a call may take. */
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

/** Of a thousand calls, how many meet with each fault. */
export type FaultShares = Readonly<Partial<Record<Fault, number>>>;

export const quick: FaultShares = {
  ...{ throttled: 20, failed: 10, conflict: 150 },
  ...{ 'cut before': 10, 'cut after': 20 },
};

/** Each of the long ones takes three seconds: one history of six has them. */
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
