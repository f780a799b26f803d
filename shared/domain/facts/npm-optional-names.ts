import { isObject, type JsonObject, readAt } from '../../util/json.ts';
import { type DependencyEntry, listEntries, readSpec } from './npm-specs.ts';

/** Returns the optional peers of a version. A peer that only `peerDependenciesMeta` names has the range `*`. */
export const listOptionalPeers = ({
  peerDependencies,
  peerDependenciesMeta,
}: JsonObject): DependencyEntry[] => {
  const ranges = new Map(listEntries(peerDependencies));
  return Object.entries(isObject(peerDependenciesMeta) ? peerDependenciesMeta : {})
    .filter(([, meta]) => readAt(meta, 'optional') === true)
    .map(([name]) => [name, ranges.get(name) ?? '*']);
};

/** Maximum number of packages to look up; further ones are omitted. Real packages have far fewer. */
export const mostOptionalNames = 200;

/** Returns the distinct names of the optional dependencies and optional peers of these versions. */
export const listOptionalNames = (versions: readonly JsonObject[]): readonly string[] => {
  const entries = versions.flatMap((version) => [
    ...listEntries(version['optionalDependencies']),
    ...listOptionalPeers(version),
  ]);
  return [...new Set(entries.map((entry) => readSpec(entry).name))];
};
