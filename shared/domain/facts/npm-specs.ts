import { isObject } from '../../util/json.ts';

/** An entry of a dependency list in package.json: a name and its specifier. */
export type DependencyEntry = readonly [name: string, spec: string];

/** Maximum length of a range in characters. People write shorter ones, and longer ones are slow to parse. */
export const longestRange = 256;

/** Returns the real package name and the range of a dependency. `npm:other@^1.0.0` is an alias of another package. */
export const readSpec = ([name, spec]: DependencyEntry) => {
  const alias = /^npm:(?<real>(?:@[^/]+\/)?[^@/]+)(?:@(?<range>.*))?$/.exec(spec)?.groups;
  return { name: alias?.['real'] ?? name, range: alias ? (alias['range'] ?? '*') : spec };
};

/** Returns the entries of a dependency list that have a specifier. */
export const listEntries = (dependencies: unknown): DependencyEntry[] =>
  Object.entries(isObject(dependencies) ? dependencies : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
