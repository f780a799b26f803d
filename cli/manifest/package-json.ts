import { readTextAt } from '../../shared/domain/json.ts';
import { toHomepage, toRepository } from '../../shared/manifests/addresses.ts';
import { readNpmLicense } from '../../shared/manifests/npm-license.ts';
import type { ManifestFields } from './manifest-fields.ts';

/** Reads npm's package.json. */
export const readPackageJson = (text: string): ManifestFields => {
  const manifest: unknown = JSON.parse(text);
  return {
    ecosystem: 'npm',
    name: readTextAt(manifest, 'name'),
    version: readTextAt(manifest, 'version'),
    license: readNpmLicense(manifest),
    description: readTextAt(manifest, 'description'),
    homepage: toHomepage(readTextAt(manifest, 'homepage')),
    repository: toRepository(
      readTextAt(manifest, 'repository', 'url') ?? readTextAt(manifest, 'repository'),
    ),
  };
};
