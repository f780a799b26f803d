import type { Manifest } from '../domain/facts/manifest.ts';
import type { Dependency } from '../domain/review/dependency-issues.ts';
import { listNpmDependencies } from './npm/manifest/dependencies.ts';
import { listPypiDependencies } from './pypi/manifest/requirements.ts';

/** Returns the mandatory dependencies that the manifest of a version declares; none if its ecosystem lists none there. */
export const listDeclaredDependencies = (manifest: Manifest): readonly Dependency[] => {
  switch (manifest.kind) {
    case 'npm':
      return listNpmDependencies(manifest.version);
    case 'pypi':
      return listPypiDependencies(manifest.requirements ?? []);
    default:
      return [];
  }
};
