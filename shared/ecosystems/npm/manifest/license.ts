import { joinStatements } from '../../../domain/licenses/normalize/join-statements.ts';
import { nameLicense } from '../../../domain/licenses/normalize/name-license.ts';
import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/** `null` and an empty text are how some tools write that there is none. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');

/** The license that one entry names; undefined for what names none, such as a number. */
const readEntry = (entry: unknown): string | undefined => {
  if (!isObject(entry)) return typeof entry === 'string' ? entry : undefined;
  return nameLicense(
    readTextAt(entry, 'type') || readTextAt(entry, 'name'),
    readTextAt(entry, 'url'),
  );
};

/** One entry, or the entries of a list. */
const listEntries = (given: unknown): (string | undefined)[] =>
  [given].flat().filter(isGiven).map(readEntry);

const fields = ['license', 'licenses'] as const;

/** The licenses that a package.json names in both of its fields; undefined for an entry that names none. */
export const listNpmLicenses = (manifest: unknown): (string | undefined)[] =>
  fields.flatMap((field) => listEntries(readAt(manifest, field)));

/** Of several licenses one is chosen. */
const joinChoices = (given: unknown): string | undefined => {
  const names = listEntries(given).filter((name) => name !== undefined);
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
};

/** The license that a package.json names: an SPDX expression; packages of long ago have an object or several, and some have both. */
export const readNpmLicense = (manifest: unknown): string | undefined => {
  const [license, licenses] = fields.map((field) => joinChoices(readAt(manifest, field)));
  return joinStatements(license, licenses);
};
