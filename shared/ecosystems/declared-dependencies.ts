import type { Manifest } from '../domain/facts/manifest.ts';
import type { NamedRange, ReleaseDetails } from '../domain/facts/release-details.ts';
import type { Dependency } from '../domain/review/dependency-issues.ts';
import type { Ecosystem } from './ecosystem.ts';
import { listMavenDependencies, readMavenDependency } from './maven/manifest/dependencies.ts';
import {
  listNpmDependencies,
  listOptionalNpmDependencies,
  readDependency,
} from './npm/manifest/dependencies.ts';
import { listPypiDependencies, readPypiDependency } from './pypi/manifest/requirements.ts';

/**
 * Returns the mandatory dependencies that a version declares. Those of Maven are in the details of the release; without these,
 * there are none.
 */
export const listDeclaredDependencies = (
  manifest: Manifest | null,
  details?: ReleaseDetails,
): readonly Dependency[] => {
  switch (manifest?.kind) {
    case 'npm':
      return listNpmDependencies(manifest.version);
    case 'pypi':
      return listPypiDependencies(manifest.requirements ?? []);
    case 'maven':
      return listMavenDependencies(details);
    default:
      return [];
  }
};

/**
 * Returns the optional dependencies that a version declares. Only npm installs them unasked, such as the builds of a package
 * for each platform.
 */
export const listOptionalDependencies = (manifest: Manifest | null): readonly Dependency[] =>
  manifest?.kind === 'npm' ? listOptionalNpmDependencies(manifest.version) : [];

/** Returns the dependency with a name and a range in the notation of its ecosystem; undefined if the range is not read. */
export const parseDependency = (
  ecosystem: Ecosystem,
  { name, range }: NamedRange,
): Dependency | undefined => {
  switch (ecosystem) {
    case 'npm':
      return readDependency([name, range])[0];
    case 'pypi':
      return readPypiDependency({ name, range })[0];
    case 'maven':
      return readMavenDependency({ name, range })[0];
    default:
      return undefined;
  }
};
