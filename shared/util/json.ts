/** Parsed JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True if a parsed value is an object, neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object without some of its members. */
export const omitFields = (object: JsonObject, names: readonly string[]): JsonObject => {
  const omitted = new Set(names);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !omitted.has(name)));
};

const sortMembers = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns the JSON of a value without blanks, with the members of objects in the order of their names (RFC 8785). */
export const canonicalizeJson = (value: unknown): string => JSON.stringify(value, sortMembers);

/** True if two JSON values are equal. The order of members does not count: DynamoDB returns another one. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  canonicalizeJson(one) === canonicalizeJson(other);

/** Maximum nesting of JSON in a request. */
export const maxNesting = 32;

/** True if a key could cause prototype pollution. `owner` is the key whose value is the object. */
export const isPrototypeKey = (key: string, owner: string | undefined): boolean =>
  key === '__proto__' || (key === 'prototype' && owner === 'constructor');

/** Parses a text as JSON. Returns undefined for malformed JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the value at a path of names, or undefined if a part of the path is missing. */
export const readAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

/** Returns the trimmed text at a path of names, or undefined if there is none. */
export const readTextAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = readAt(value, ...path);
  return typeof found === 'string' ? found.trim() : undefined;
};
