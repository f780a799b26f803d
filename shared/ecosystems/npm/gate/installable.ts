import semver from 'semver';
import { listOptionalPeers } from '../../../domain/facts/npm-optional-names.ts';
import {
  type DependencyEntry,
  listEntries,
  longestRange,
  readSpec,
} from '../../../domain/facts/npm-specs.ts';
import { isObject, type JsonObject, omitFields } from '../../../util/json.ts';

/** Approved versions by package name. */
export type ApprovedVersions = ReadonlyMap<string, readonly string[]>;

const isInstallable = (entry: DependencyEntry, approved: ApprovedVersions): boolean => {
  const { name, range } = readSpec(entry);
  const versions = approved.get(name) ?? [];
  // Clients accept a prerelease for these ranges if the package has no release.
  if (['', '*', 'latest'].includes(range)) return versions.length > 0;
  // Other specifiers are no registry range, or a dist-tag; the gate serves only the tag `latest`.
  if (range.length > longestRange || !semver.validRange(range)) return false;
  return versions.some((version) => semver.satisfies(version, range));
};

/** Returns these fields of a version's object, as far as they exist, without the missing packages. */
const omitFrom = (
  version: JsonObject,
  fields: readonly string[],
  missing: readonly DependencyEntry[],
): JsonObject => {
  const names = missing.map(([name]) => name);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = version[field];
      return isObject(value) ? [[field, omitFields(value, names)]] : [];
    }),
  );
};

/**
 * Returns a version's object without optional dependencies and peers that have no approved version in range. npm also
 * lists optional dependencies under `dependencies`. It resolves optional peers even if it installs none, and fails at a
 * missing one.
 */
export const keepInstallable = (version: JsonObject, approved: ApprovedVersions): JsonObject => {
  const isMissing = (entry: DependencyEntry) => !isInstallable(entry, approved);
  const optional = listEntries(version['optionalDependencies']).filter(isMissing);
  const peers = listOptionalPeers(version).filter(isMissing);
  return {
    ...version,
    ...omitFrom(version, ['dependencies', 'optionalDependencies'], optional),
    ...omitFrom(version, ['peerDependencies', 'peerDependenciesMeta'], peers),
  };
};
