import * as z from 'zod';

const rule = 'must be a time in UTC, such as 2027-01-31T00:00:00Z';

/** Time in UTC. The output has milliseconds, as all times in storage have. */
export const Time = z.iso
  .datetime({ error: rule })
  // The document has the pattern only: some generated clients send a `date-time` with an offset.
  .meta({ format: undefined, examples: ['2027-01-31T00:00:00Z'] })
  .transform((time) => new Date(time).toISOString());

/**
 * Maximum length of a cursor, in bytes. The cursor of any row is shorter, and a key in DynamoDB has at most 1,024
 * bytes.
 */
const maxPlaceBytes = 1000;

const isPlace = (text: string, separator: string): boolean => {
  const end = text.indexOf('Z') + 1;
  const rest = text.slice(end);
  return Time.safeParse(text.slice(0, end)).success && (rest === '' || rest.startsWith(separator));
};

/**
 * Returns the schema of a position in a list in order of time: a time, or the cursor of a page. The cursor has the time
 * of the page's last row, a separator, and text that distinguishes the row from others of the same time.
 */
export const placeAfterTime = (separator: string) =>
  z
    .string()
    .refine((text) => Buffer.byteLength(text) <= maxPlaceBytes && isPlace(text, separator), {
      error: `${rule}, or \`next\` of the page before`,
    })
    .transform((text) => Time.safeParse(text).data ?? text);
