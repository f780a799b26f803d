import * as z from 'zod';

const Time = z.iso.datetime();

const isTime = (text: string): boolean => Time.safeParse(text).success;

/** A place that is none alone has more behind its time, which tells it from others of that moment. */
const beginsWithTime = (text: string): boolean => isTime(text.split(/[ #]/, 1)[0] ?? '');

/** Times are compared as text: all have milliseconds. */
const normalize = (text: string): string => (isTime(text) ? new Date(text).toISOString() : text);

const rule = 'must be a time in UTC, such as 2027-01-31T00:00:00Z, or `next` of the page before';

/** A place in a list that goes by time: a time, or `next` of the page before. */
export const makeTimePlace = (maxLength: number) =>
  z
    .string()
    .max(maxLength, { error: rule })
    .refine(beginsWithTime, { error: rule })
    .transform(normalize);
