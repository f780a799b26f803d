import semver from 'semver';
import { isObject, type JsonObject, readAt } from '../../../util/json.ts';

/** Which versions of packages are approved, by their names. */
export type ApprovedVersions = ReadonlyMap<string, readonly string[]>;

/** A dependency as package.json has it: a name, and what it asks for. */
type Dependency = readonly [name: string, spec: string];

/** What a dependency asks for: `npm:other@^1.0.0` is another package under this name. */
const readSpec = ([name, spec]: Dependency) => {
  const alias = /^npm:(?<real>(?:@[^/]+\/)?[^@/]+)(?:@(?<range>.*))?$/.exec(spec)?.groups;
  return { name: alias?.['real'] ?? name, range: alias ? (alias['range'] ?? '*') : spec };
};

const listEntries = (dependencies: unknown): Dependency[] =>
  Object.entries(isObject(dependencies) ? dependencies : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );

/** The peers that a version may do without; some are named among these alone, and then any version will do. */
const listOptionalPeers = ({
  peerDependencies,
  peerDependenciesMeta,
}: JsonObject): Dependency[] => {
  const ranges = new Map(listEntries(peerDependencies));
  return Object.entries(isObject(peerDependenciesMeta) ? peerDependenciesMeta : {})
    .filter(([, meta]) => readAt(meta, 'optional') === true)
    .map(([name]) => [name, ranges.get(name) ?? '*']);
};

/** At most so many packages are looked up: the others are left out. No package has nearly as many. */
const mostNames = 200;

/** Returns the names of the packages that versions may do without, optional peers among them, each once. */
export const listOptionalNames = (versions: readonly JsonObject[]): readonly string[] => {
  const entries = versions.flatMap((version) => [
    ...listEntries(version['optionalDependencies']),
    ...listOptionalPeers(version),
  ]);
  return [...new Set(entries.map((entry) => readSpec(entry).name))].slice(0, mostNames);
};

/** Longer ones are nothing that people write, and take long to be understood. */
const longestRange = 256;

const isInstallable = (entry: Dependency, approved: ApprovedVersions): boolean => {
  const { name, range } = readSpec(entry);
  const versions = approved.get(name) ?? [];
  // With nothing else than releases to come, clients take these.
  if (['', '*', 'latest'].includes(range)) return versions.length > 0;
  // What is no range comes from elsewhere than a registry, or by a tag, of which there is only the latest.
  if (range.length > longestRange || !semver.validRange(range)) return false;
  return versions.some((version) => semver.satisfies(version, range));
};

/** Returns the members of a version's object by these names without some packages, those that it has. */
const omitFrom = (
  version: JsonObject,
  fields: readonly string[],
  missing: readonly Dependency[],
): JsonObject => {
  const names = new Set(missing.map(([name]) => name));
  const keep = (value: JsonObject) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = version[field];
      return isObject(value) ? [[field, keep(value)]] : [];
    }),
  );
};

/**
 * Returns a version's object without the optional dependencies and optional peers of which no approved version is in
 * the range. npm lists optional dependencies among the others as well, and resolves optional peers even where it
 * installs none: it fails at one that it cannot find.
 */
export const keepInstallable = (version: JsonObject, approved: ApprovedVersions): JsonObject => {
  const isMissing = (entry: Dependency) => !isInstallable(entry, approved);
  const optional = listEntries(version['optionalDependencies']).filter(isMissing);
  const peers = listOptionalPeers(version).filter(isMissing);
  return {
    ...version,
    ...omitFrom(version, ['dependencies', 'optionalDependencies'], optional),
    ...omitFrom(version, ['peerDependencies', 'peerDependenciesMeta'], peers),
  };
};
