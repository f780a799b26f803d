/** An object as JSON has them, of which nothing more is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object: not null, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How deep the JSON of a request may nest. */
export const maxNesting = 32;

/** Whether a program could take the key of an object for part of the language; `owner` is the key that the object is the value of. */
export const isPrototypeKey = (key: string, owner: string | undefined): boolean =>
  key === '__proto__' || (key === 'prototype' && owner === 'constructor');

/** What the text says as JSON; undefined if it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads what stands at a path of names; undefined if anything on the way is missing. */
export const readAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

/** Reads the text that stands there, without blanks around it; undefined if none does. */
export const readTextAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = readAt(value, ...path);
  return typeof found === 'string' ? found.trim() : undefined;
};
