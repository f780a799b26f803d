/** A time with milliseconds, as the API returns it. */
const preciseTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a time without its milliseconds, and any other text as it is. */
export const dropMilliseconds = (text: string): string =>
  preciseTime.test(text) ? text.replace(/\.\d{3}Z$/, 'Z') : text;
