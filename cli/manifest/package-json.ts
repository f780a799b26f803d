import { isObject } from '../../shared/domain/json.ts';
import { joinStatements } from '../../shared/domain/licenses/reading/join-statements.ts';
import { toHomepage, toRepository } from './addresses.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { nameLicense } from './name-license.ts';
import { readAt, readTextAt } from './values.ts';

/** One license or several, each by its name or as an object; of several one is chosen. */
const readLicenses = (given: unknown): string | undefined => {
  const names = [given]
    .flat()
    .flatMap((one) =>
      isObject(one)
        ? (nameLicense(readTextAt(one, 'type'), readTextAt(one, 'url')) ?? [])
        : typeof one === 'string'
          ? one
          : [],
    );
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
};

/** An SPDX expression; packages of long ago have an object or several, and some have both. */
const readLicense = (manifest: unknown): string | undefined =>
  joinStatements(
    readLicenses(readAt(manifest, 'license')),
    readLicenses(readAt(manifest, 'licenses')),
  );

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
