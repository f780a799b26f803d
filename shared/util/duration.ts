/** A minute in milliseconds. */
export const minuteMs = 60_000;

/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs;

/** A day in milliseconds. */
export const dayMs = 24 * hourMs;

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
