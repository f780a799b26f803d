import { joinStatements } from '../../../domain/licenses/normalize/join-statements.ts';
import { nameLicense } from '../../../domain/licenses/normalize/name-license.ts';
import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/** True if a field has a value. Some tools write `null` or an empty text for no license. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');

/** Returns the license that one entry names; undefined if the entry names none, such as a number. */
const readEntry = (entry: unknown): string | undefined => {
  if (!isObject(entry)) return typeof entry === 'string' ? entry : undefined;
  return nameLicense(
    readTextAt(entry, 'type') || readTextAt(entry, 'name'),
    readTextAt(entry, 'url'),
  );
};

/** Returns the license of a single entry, or the license of each entry of a list. */
const listEntries = (given: unknown): (string | undefined)[] =>
  [given].flat().filter(isGiven).map(readEntry);

const fields = ['license', 'licenses'] as const;

/** Returns the licenses in `license` and `licenses` of a package.json, with undefined for an entry that names none. */
export const listNpmLicenses = (manifest: unknown): (string | undefined)[] =>
  fields.flatMap((field) => listEntries(readAt(manifest, field)));

/** Returns the licenses joined by OR, because the licensee may choose one; undefined if there is none. */
const joinChoices = (given: unknown): string | undefined => {
  const names = listEntries(given).filter((name) => name !== undefined);
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
};

/**
 * Returns the license of a package.json as one text, usually an SPDX expression. Old packages have an object or a list
 * instead, and some have both fields.
 */
export const readNpmLicense = (manifest: unknown): string | undefined => {
  const [license, licenses] = fields.map((field) => joinChoices(readAt(manifest, field)));
  return joinStatements(license, licenses);
};
