import * as z from 'zod';

const rule = 'must be a time in UTC, such as 2027-01-31T00:00:00Z';

/** A time in UTC, read as the registry writes times: to the millisecond. */
export const Time = z.iso
  .datetime({ error: rule })
  .transform((time) => new Date(time).toISOString());

/** Longer than that of any row, and short enough for a key: DynamoDB takes 1,024 bytes. */
const maxPlaceBytes = 1000;

const isPlace = (text: string, separator: string): boolean => {
  const end = text.indexOf('Z') + 1;
  const rest = text.slice(end);
  return Time.safeParse(text.slice(0, end)).success && (rest === '' || rest.startsWith(separator));
};

/**
 * A place in a list that is ordered by time: a time, or what a page says of where the next one begins, which is the time
 * of its last row, a separator, and what tells that row from others of the same time.
 */
export const placeAfterTime = (separator: string) =>
  z
    .string()
    .refine((text) => Buffer.byteLength(text) <= maxPlaceBytes && isPlace(text, separator), {
      error: `${rule}, or \`next\` of the page before`,
    })
    .transform((text) => Time.safeParse(text).data ?? text);
