import { readTextAt } from '../../../util/json.ts';
import { cleanText } from '../../lockfiles/gather.ts';
import { listFirst } from '../../lockfiles/list-first.ts';
import { type PomLine, readElements, resolveProperties } from '../manifest/pom.ts';

/** A POM element, and the POMs that define its properties. */
export interface Named {
  readonly element: unknown;
  readonly line: PomLine;
}

/** Paths of the plugins and extensions in a project or a profile. */
const places = [
  ['build', 'plugins', 'plugin'],
  ['build', 'pluginManagement', 'plugins', 'plugin'],
  ['build', 'extensions', 'extension'],
  ['reporting', 'plugins', 'plugin'],
] as const;

/** Default group of plugins without a group. */
const usualGroup = 'org.apache.maven.plugins';

/**
 * Returns the plugins and extensions of a POM and its profiles, each once, as `group:artifact:version`. The version is
 * missing if a parent or Maven itself sets it.
 */
export const listPlugins = (scopes: readonly Named[]): readonly string[] => {
  const versions = new Map<string, string | undefined>();
  for (const { element, line } of scopes) {
    for (const one of places.flatMap((place) => readElements(element, ...place))) {
      const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((field) =>
        resolveProperties(line, readTextAt(one, field)),
      );
      const name = `${group ?? usualGroup}:${artifact ?? ''}`;
      if (artifact) versions.set(name, versions.get(name) ?? version);
    }
  }
  return [...versions].map(([name, version]) => cleanText(version ? `${name}:${version}` : name));
};

/** Explains that no dependency list contains the build plugins and their dependencies. */
export const explainPlugins = (plugins: readonly string[]): string =>
  `No list has what builds the project: ${listFirst(plugins)}, and what these plugins need. Have them approved, too, unless the gate lets plugins pass (gateMavenPlugins).`;

const withoutClosure = 'It has what the project declares itself, and not what that brings with it.';
const wholeList =
  'Have all dependencies beside it: mvn -B dependency:tree -DoutputFile=dependency-tree.txt';

/**
 * Explains which dependencies a POM alone does not list.
 * @param inherited the POM's parent and imported BOMs
 */
export const explainPom = (inherited: readonly string[], plugins: readonly string[]): string =>
  [
    withoutClosure,
    ...(inherited.length > 0
      ? [
          `Its parent and imported BOMs are checked here: ${listFirst(inherited)}. Once they are approved, the gate also serves the POMs that they inherit from or import.`,
        ]
      : []),
    ...(plugins.length > 0 ? [explainPlugins(plugins)] : []),
    wholeList,
  ].join(' ');
