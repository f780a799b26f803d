import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { purlTypes } from '../../shared/domain/packages/purl.ts';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { isObject, type JsonObject, parseJson } from '../../shared/util/json.ts';
import { readTextInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { listEcosystems, readPackageText, refuseAmbiguous } from './package-text.ts';

/** The fields of one package version. */
type PackageFields = JsonObject;

/** A package version and its place, as the start of messages: `packages.txt, line 3: `. */
export interface PackageEntry {
  readonly fields: PackageFields;
  readonly place: string;
}

const refuse = (text: string, place: string): UsageError =>
  new UsageError(
    `${place}${text} does not name a package version. Write npm:left-pad@1.3.0, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, or a package URL of ${purlTypes.join(', ')} with a version.`,
  );

/**
 * Parses a package version, such as `npm:lodash@4.17.21`.
 * @throws {UsageError} for text without a version, or of an unknown ecosystem
 */
export const readVersionText = (text: string, known?: Ecosystem, place = ''): PackageId => {
  const { ecosystem, name, version } = readPackageText(text, known) ?? {};
  if (name === undefined || version === undefined) throw refuse(text, place);
  if (ecosystem) return { ecosystem, name, version };
  throw listEcosystems(name).length > 0 ? refuseAmbiguous(text, name, place) : refuse(text, place);
};

const readEntry = (entry: unknown, place: string, known: Ecosystem | undefined): PackageEntry => {
  if (isObject(entry)) return { fields: entry, place };
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
  return { fields: { ...readVersionText(text, known, place) }, place };
};

/** Reads lines: each is a package version, a JSON object, blank, or a comment that starts with #. */
const readLines = (file: string, text: string, known: Ecosystem | undefined): PackageEntry[] =>
  text.split('\n').flatMap((whole, at) => {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) return [];
    const place = `${file}, line ${at + 1}: `;
    if (!line.startsWith('{')) return [readEntry(line, place, known)];
    const value = parseJson(line);
    if (!isObject(value)) throw new UsageError(`${place}is not JSON.`);
    return [{ fields: value, place }];
  });

/** Returns the list in a document: an array, a request or a page. Another document is itself the one entry. */
const listEntries = (document: unknown): readonly unknown[] => {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) return [document];
  const list = document['packages'] ?? document['decisions'];
  return Array.isArray(list) ? list : [document];
};

/**
 * Reads package versions from a file: one in a line, or JSON.
 * @param known the ecosystem of entries without one
 * @throws {UsageError} if it cannot be read, or names no package version
 */
export const readPackagesFile = async (
  file: string,
  known?: Ecosystem,
): Promise<PackageEntry[]> => {
  const text = await readTextInput(file);
  const document = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const found =
    document === undefined
      ? readLines(file, text, known)
      : listEntries(document).map((entry, at) =>
          readEntry(entry, `${file}, item ${at + 1}: `, known),
        );
  if (found.length === 0) throw new UsageError(`${file} names no packages.`);
  return found;
};

/**
 * Reads package versions from arguments; `-` stands for the lines of standard input.
 * @throws {UsageError} for text that is no package version
 */
export const readPackageArguments = async (
  given: readonly string[],
  known?: Ecosystem,
): Promise<PackageEntry[]> => {
  const found = await Promise.all(
    given.map((text) =>
      text === '-'
        ? readPackagesFile('-', known)
        : [{ fields: { ...readVersionText(text, known) }, place: `${text}: ` }],
    ),
  );
  return found.flat();
};
