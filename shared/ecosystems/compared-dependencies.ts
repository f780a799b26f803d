import type { Dependency } from '../domain/review/dependency-issues.ts';
import type { StoredRelease } from './manifest/common-attributes.ts';
import { listMavenDependencies } from './maven/manifest/dependencies.ts';
import { readDependency } from './npm/manifest/dependencies.ts';
import { listInstalledByNpm } from './npm/manifest/npm-attributes.ts';
import { listPypiDependencies } from './pypi/manifest/requirements.ts';

/**
 * Returns the dependencies of a version that a registry may have, by the name in its attributes. An npm alias has another
 * name there than the package.
 */
export const mapRegistryDependencies = (
  release: StoredRelease,
): ReadonlyMap<string, Dependency> => {
  const { manifest } = release;
  switch (manifest?.kind) {
    case 'npm':
      return new Map(
        listInstalledByNpm(manifest.version).flatMap(({ name, range }) =>
          readDependency([name, range]).map((one): [string, Dependency] => [name, one]),
        ),
      );
    case 'pypi':
      return new Map(
        listPypiDependencies(manifest.requirements ?? []).map((one) => [one.name, one]),
      );
    case 'maven':
      return new Map(listMavenDependencies(release.details).map((one) => [one.name, one]));
    default:
      return new Map();
  }
};
