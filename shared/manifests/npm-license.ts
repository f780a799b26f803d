import { isObject, readAt, readTextAt } from '../domain/json.ts';
import { joinStatements } from '../domain/licenses/reading/join-statements.ts';
import { nameLicense } from '../domain/licenses/reading/name-license.ts';

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

/** The license that a package.json names: an SPDX expression; packages of long ago have an object or several, and some have both. */
export const readNpmLicense = (manifest: unknown): string | undefined =>
  joinStatements(
    readLicenses(readAt(manifest, 'license')),
    readLicenses(readAt(manifest, 'licenses')),
  );
