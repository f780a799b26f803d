import Range from 'semver/classes/range.js';
import {
  type DependencyEntry,
  listEntries,
  longestRange,
  readSpec,
} from '../../../domain/facts/npm-specs.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import type { Dependency } from '../../../domain/review/dependency-issues.ts';
import type { JsonObject } from '../../../util/json.ts';

/** Maximum number of dependencies. Real packages have far fewer. */
const mostDependencies = 1000;

/** Matches a dist-tag, such as `latest`. npm takes the other names for files. */
const tag = /^(?!.*\.(?:tgz|tar\.gz|tar)$)[a-z][\w.-]*$/i;

/** Parses a range of npm; undefined for other text. */
const readRange = (text: string): Range | undefined => {
  try {
    return new Range(text);
  } catch {
    return undefined;
  }
};

/** Returns the test of a range; undefined for a specifier of another source, such as a Git URL. */
const toTest = (range: string): Dependency['accepts'] | undefined => {
  if (range.length > longestRange) return undefined;
  const parsed = readRange(range);
  if (!parsed) return tag.test(range) ? () => true : undefined;
  // npm accepts a prerelease for the range `*` if the package has no release.
  return parsed.range === '' ? () => true : (version) => parsed.test(version);
};

/** Returns a dependency that npm installs from a registry; none for another source, such as a Git URL. */
export const readDependency = (entry: DependencyEntry): Dependency[] => {
  const { name, range } = readSpec(entry);
  const accepts = toTest(range);
  return accepts && isPackageName('npm', name) ? [{ name, range, accepts }] : [];
};

/** Returns the names of dependencies that the tarball contains; undefined if it contains all. */
const listBundled = ({ bundleDependencies }: JsonObject): readonly unknown[] | undefined => {
  if (bundleDependencies === true) return undefined;
  return Array.isArray(bundleDependencies) ? bundleDependencies : [];
};

const readAll = (entries: readonly DependencyEntry[]): Dependency[] =>
  entries.slice(0, mostDependencies).flatMap(readDependency);

/**
 * Returns the mandatory dependencies of a version's object that npm installs from a registry. npm also lists optional
 * dependencies under `dependencies`.
 */
export const listNpmDependencies = (version: JsonObject): Dependency[] => {
  const bundled = listBundled(version);
  if (bundled === undefined) return [];
  const optional = listEntries(version['optionalDependencies']).map(([name]) => name);
  const others = new Set([...bundled, ...optional]);
  return readAll(listEntries(version['dependencies']).filter(([name]) => !others.has(name)));
};

/** Returns the optional dependencies of a version's object that npm installs from a registry. */
export const listOptionalNpmDependencies = (version: JsonObject): Dependency[] => {
  const bundled = listBundled(version);
  if (bundled === undefined) return [];
  const entries = listEntries(version['optionalDependencies']);
  return readAll(entries.filter(([name]) => !bundled.includes(name)));
};
