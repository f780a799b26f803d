/** A second in milliseconds. */
export const secondMs = 1000;

/** A minute in milliseconds. */
export const minuteMs = 60_000;

/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs;

/** A day in milliseconds. */
export const dayMs = 24 * hourMs;

const namedUnits = [
  ['year', 365 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Describes a duration in the largest unit of which it has at least two, such as `18 hours`; `0 minutes` if it is negative. */
export const describeDuration = (ms: number): string => {
  const [unit, length] =
    namedUnits.find(([, one]) => ms >= 2 * one) ?? (['minute', minuteMs] as const);
  const count = Math.max(0, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

const unitMs: Readonly<Record<string, number>> = {
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
  y: 365 * dayMs,
};

/** Parses a duration such as `12h`, `90d`, `2w` or `1y` into milliseconds; undefined for other text. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit = ''] = /^([0-9]{1,6})([hdwy])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0);
};
