/** An object as JSON has them, of which nothing more is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object: not null, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the text says as JSON; undefined if it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
