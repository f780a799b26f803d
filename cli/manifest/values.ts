/** Looks into what a parser made of a manifest, of which nothing is known. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there; undefined if anything on the way is missing. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);

/** The text that stands there, without blanks around it. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found.trim() : undefined;
};

/** The fields that say something. */
export const said = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
