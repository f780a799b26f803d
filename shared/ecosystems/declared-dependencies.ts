import type { Manifest } from '../domain/facts/manifest.ts';
import type { ReleaseDetails } from '../domain/facts/release-details.ts';
import type { Dependency } from '../domain/review/dependency-issues.ts';
import { listMavenDependencies } from './maven/manifest/dependencies.ts';
import { listNpmDependencies } from './npm/manifest/dependencies.ts';
import { listPypiDependencies } from './pypi/manifest/requirements.ts';

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
