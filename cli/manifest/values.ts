/** Looks into what a parser made of a manifest, of which nothing is known. */

import { isObject } from '../../shared/domain/json.ts';

/** Reads what stands at a path of names; undefined if anything on the way is missing. */
export const readAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

/** Reads the text that stands there, without blanks around it; undefined if none does. */
export const readTextAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = readAt(value, ...path);
  return typeof found === 'string' ? found.trim() : undefined;
};

/** Leaves out the fields that are empty. */
export const dropEmpty = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
