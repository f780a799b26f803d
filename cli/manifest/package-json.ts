import { isObject } from '../../shared/domain/json.ts';
import { toHomepage, toRepository } from './addresses.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { readAt, readTextAt } from './values.ts';

/** An SPDX expression; packages of long ago have an object, or several. */
const readLicense = (manifest: unknown): string | undefined => {
  const several = readAt(manifest, 'licenses');
  const licenses = Array.isArray(several) ? several : [readAt(manifest, 'license')];
  const names = licenses.flatMap((license) =>
    isObject(license)
      ? (readTextAt(license, 'type') ?? [])
      : typeof license === 'string'
        ? license
        : [],
  );
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
};

/** Reads npm's package.json. */
export const readPackageJson = (text: string): ManifestFields => {
  const manifest: unknown = JSON.parse(text);
  return {
    ecosystem: 'npm',
    name: readTextAt(manifest, 'name'),
    version: readTextAt(manifest, 'version'),
    license: readLicense(manifest),
    description: readTextAt(manifest, 'description'),
    homepage: toHomepage(readTextAt(manifest, 'homepage')),
    repository: toRepository(
      readTextAt(manifest, 'repository', 'url') ?? readTextAt(manifest, 'repository'),
    ),
  };
};
