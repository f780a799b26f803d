import * as z from 'zod';

const pattern = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z`;

const rule = 'must be a time in UTC, such as 2027-01-31T00:00:00Z';

const isRealTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** A time in UTC, read as the registry writes times: to the millisecond. */
export const Time = z
  .string({ error: rule })
  .regex(new RegExp(`^${pattern}$`), { error: rule })
  .refine(isRealTime, { error: rule })
  .transform((time) => new Date(time).toISOString());

const placeRule = `${rule}, or \`next\` of the page before`;

/**
 * A place in a list that is ordered by time: a time, or what a page says of where the next one begins, which is the time
 * of its last row, a separator, and what tells that row from others of the same time.
 */
export const placeAfterTime = (separator: string) =>
  z
    .string({ error: placeRule })
    .regex(new RegExp(`^${pattern}(?:${separator}.{1,1200})?$`), { error: placeRule })
    .refine((place) => isRealTime(place.slice(0, place.indexOf('Z') + 1)), { error: placeRule })
    .transform((place) =>
      place.endsWith('Z') && isRealTime(place) ? new Date(place).toISOString() : place,
    );
