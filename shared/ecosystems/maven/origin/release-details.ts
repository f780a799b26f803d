import type { NamedRange, ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { readTextAt } from '../../../util/json.ts';
import { cleanName } from '../../origin/release-text.ts';
import { isMavenRange } from '../manifest/dependencies.ts';
import { type PomLine, readElements, resolveProperties } from '../manifest/pom.ts';
import type { FoundLine } from './poms.ts';

/** Maximum number of dependencies, of plugins, and of managed elements. Real POMs have far fewer. */
const mostElements = 200;
const mostManaged = 1000;
/** Maximum length of a name or a range in characters. */
const longestText = 254;
/** Group of plugins that name none. Source: Maven's POM reference. */
const pluginGroup = 'org.apache.maven.plugins';

/** Scopes of dependencies that a build of the package needs, but not its users. */
const ownScopes: readonly unknown[] = ['test', 'provided', 'system'];

const isMandatory = (line: PomLine, element: unknown): boolean =>
  !ownScopes.includes(resolveProperties(line, readTextAt(element, 'scope'), longestText)) &&
  resolveProperties(line, readTextAt(element, 'optional'), longestText) !== 'true';

/** Returns `group:artifact` of an element, with the group of a plugin that names none; undefined if it is unreadable. */
const readName = (line: PomLine, element: unknown): string | undefined => {
  const [group, artifact] = ['groupId', 'artifactId'].map((part) =>
    resolveProperties(line, readTextAt(element, part), longestText),
  );
  return artifact ? cleanName(`${group || pluginGroup}:${artifact}`) : undefined;
};

/** Returns the version of an element; empty if the element names none, or if its property is unknown. */
const readRange = (line: PomLine, element: unknown): string =>
  cleanName(resolveProperties(line, readTextAt(element, 'version'), longestText)) ?? '';

/** Returns the versions in a management list by name. The nearest POM takes precedence. */
const listManaged = (line: PomLine, elements: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(
    elements
      .slice(0, mostManaged)
      .toReversed()
      .flatMap((one): [string, string][] => {
        const name = readName(line, one);
        return name === undefined ? [] : [[name, readRange(line, one)]];
      }),
  );

/**
 * Returns elements of a POM and its parents, the nearest of each name; undefined if one is unreadable, or if there are
 * too many. A version that an imported BOM chooses is empty.
 */
const listNamed = (
  line: PomLine,
  elements: readonly unknown[],
  managed: ReadonlyMap<string, string>,
): readonly NamedRange[] | undefined => {
  if (elements.length > mostElements) return undefined;
  const found = new Map<string, string>();
  for (const element of elements) {
    const name = readName(line, element);
    if (name === undefined) return undefined;
    const range = readRange(line, element) || (managed.get(name) ?? '');
    if (!found.has(name)) found.set(name, range);
  }
  return [...found].map(([name, range]) => ({ name, range }));
};

/** Returns the elements at a path in a POM and its parents, nearest first. */
const readAll = (line: PomLine, ...path: readonly string[]): unknown[] =>
  line.flatMap((pom) => readElements(pom, ...path));

/** Returns the dependencies of a POM, its profiles and its parents, nearest first. A JDK or a system can activate a profile. */
const readDependencies = (line: PomLine): unknown[] =>
  line
    .flatMap((pom) => [pom, ...readElements(pom, 'profiles', 'profile')])
    .flatMap((one) => readElements(one, 'dependencies', 'dependency'));

/**
 * Returns the exact versions that a parent or BOM sets for dependencies and plugins of the builds that use it; none for another
 * packaging than `pom`.
 */
export const readManagedVersions = ({ line }: FoundLine): readonly NamedRange[] => {
  if (readTextAt(line[0], 'packaging') !== 'pom') return [];
  const lists = [
    readAll(line, 'dependencyManagement', 'dependencies', 'dependency'),
    readAll(line, 'build', 'pluginManagement', 'plugins', 'plugin'),
  ];
  return lists
    .flatMap((elements) => [...listManaged(line, elements)])
    .flatMap(([name, range]) => (range === '' || isMavenRange(range) ? [] : [{ name, range }]));
};

/** Returns the details of a version's publication. They are unknown if a parent is missing, which may add to them. */
export const readMavenDetails = ({ line, isComplete }: FoundLine): ReleaseDetails => {
  if (!isComplete) return { described: false };
  const dependencies = listNamed(
    line,
    readDependencies(line).filter((one) => isMandatory(line, one)),
    listManaged(line, readAll(line, 'dependencyManagement', 'dependencies', 'dependency')),
  );
  const plugins = listNamed(
    line,
    readAll(line, 'build', 'plugins', 'plugin'),
    listManaged(line, readAll(line, 'build', 'pluginManagement', 'plugins', 'plugin')),
  );
  return {
    described: true,
    ...(dependencies !== undefined && { dependencies }),
    ...(plugins !== undefined && { plugins }),
  };
};
