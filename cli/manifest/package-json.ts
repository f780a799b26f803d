import { homepageOf, repositoryOf } from './addresses.ts';
import type { ManifestFields } from './manifest.ts';
import { at, isObject, textAt } from './values.ts';

/** An SPDX expression; packages of long ago have an object, or several. */
const licenseOf = (manifest: unknown): string | undefined => {
  const several = at(manifest, 'licenses');
  const licenses = Array.isArray(several) ? several : [at(manifest, 'license')];
  const names = licenses.flatMap((license) =>
    isObject(license)
      ? (textAt(license, 'type') ?? [])
      : typeof license === 'string'
        ? license
        : [],
  );
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
};

/** npm's package.json. */
export const submissionOfPackageJson = (text: string): ManifestFields => {
  const manifest: unknown = JSON.parse(text);
  return {
    ecosystem: 'npm',
    name: textAt(manifest, 'name'),
    version: textAt(manifest, 'version'),
    license: licenseOf(manifest),
    description: textAt(manifest, 'description'),
    homepage: homepageOf(textAt(manifest, 'homepage')),
    repository: repositoryOf(
      textAt(manifest, 'repository', 'url') ?? textAt(manifest, 'repository'),
    ),
  };
};
