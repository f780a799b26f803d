import { toHomepage, toRepository } from '../../../../shared/ecosystems/manifest/addresses.ts';
import { readNpmLicense } from '../../../../shared/ecosystems/npm/manifest/license.ts';
import { readTextAt } from '../../../../shared/util/json.ts';
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
