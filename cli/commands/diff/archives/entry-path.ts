/** Maximum length of an entry's name in characters. */
const longestName = 1024;

const faults: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\0/, 'the name contains NUL'],
  [/\\/, 'the name contains a backslash'],
  [/^\//, 'the path is absolute'],
  [/^[a-z]:/i, 'the path begins with a drive'],
  [/(?:^|\/)\.\.(?:\/|$)/, 'the path leaves the package (..)'],
];

/** Returns why a name is no path inside a package; undefined if it is one. */
export const findPathFault = (name: string): string | undefined => {
  if (name.length > longestName) return `the name has more than ${longestName} characters`;
  const [, reason] = faults.find(([pattern]) => pattern.test(name)) ?? [];
  return reason ?? (normalizePath(name) === '' ? 'the name is empty' : undefined);
};

/** Returns the path without empty parts and without `.`. */
export const normalizePath = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

/** Returns the path of an entry in its package; undefined if the entry lies outside. */
export type ToPackagePath = (path: string) => string | undefined;

/** Drops the top folder of npm tarballs and source distributions, as package managers do. */
export const dropTopFolder: ToPackagePath = (path) => {
  const slash = path.indexOf('/');
  return slash < 0 ? undefined : path.slice(slash + 1);
};

/** Drops the version from the metadata folders of a wheel, so that two versions have the same paths. */
export const dropWheelVersion: ToPackagePath = (path) =>
  path.replace(/^([^/]+?)-[^/]+\.(dist-info|data)\//, '$1.$2/');

export const keepPath: ToPackagePath = (path) => path;
