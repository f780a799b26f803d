import { dayMs, hourMs, minuteMs } from '../../shared/util/duration.ts';

/** Units from the longest; a length uses the first unit of which it has at least two. */
const units = [
  ['y', 365 * dayMs],
  ['mo', 30 * dayMs],
  ['d', dayMs],
  ['h', hourMs],
  ['m', minuteMs],
] as const;

/** Formats a length of time in one unit, such as `45m` or `3d`; `0m` below a minute. */
export const formatLength = (ms: number): string => {
  const [unit, unitMs] = units.find(([, one]) => ms >= 2 * one) ?? (['m', minuteMs] as const);
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`;
};
