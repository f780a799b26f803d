const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The longest unit of which there are two at least, down to a minute. */
const units = [
  ['y', 365 * dayMs],
  ['mo', 30 * dayMs],
  ['d', dayMs],
  ['h', hourMs],
  ['m', minuteMs],
] as const;

/** A length of time in one unit, as short as it can be told: `45m`, `3d`; `0m` below a minute. */
export const formatLength = (ms: number): string => {
  const [unit, unitMs] = units.find(([, one]) => ms >= 2 * one) ?? (['m', minuteMs] as const);
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`;
};
