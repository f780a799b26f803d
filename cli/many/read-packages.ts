import { purlTypes } from '../../shared/domain/packages/purl.ts';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { isObject, type JsonObject, parseJson } from '../../shared/util/json.ts';
import { readTextInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { listEcosystems, readPackageText, refuseAmbiguous } from './package-text.ts';

/** What is said of one package version: at least which one, as a rule. */
type PackageFields = JsonObject;

/** The same with where it is said, as the beginning of what is wrong with it: `packages.txt, line 3: `. */
export interface PackageEntry {
  readonly fields: PackageFields;
  readonly place: string;
}

const refuse = (text: string, place: string): UsageError =>
  new UsageError(
    `${place}${text} names no version of a package: write npm:left-pad@1.3.0, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, or a package URL of ${purlTypes.join(', ')} with a version.`,
  );

/** @throws {UsageError} for what names no version, and where nothing says of which ecosystem */
const readText = (text: string, known: Ecosystem | undefined, place = ''): PackageFields => {
  const { ecosystem, name, version } = readPackageText(text, known) ?? {};
  if (name === undefined || version === undefined) throw refuse(text, place);
  if (ecosystem) return { ecosystem, name, version };
  throw listEcosystems(name).length > 0 ? refuseAmbiguous(text, name, place) : refuse(text, place);
};

const readEntry = (entry: unknown, place: string, known: Ecosystem | undefined): PackageEntry => {
  if (isObject(entry)) return { fields: entry, place };
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
  return { fields: readText(text, known, place), place };
};

/** A line is a package version, or a JSON object; blank ones and those that begin with # say nothing. */
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

/** The list that a document is, or that it holds as a request or a page does; else it is itself the one entry. */
const listEntries = (document: unknown): readonly unknown[] => {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) return [document];
  const list = document['packages'] ?? document['decisions'];
  return Array.isArray(list) ? list : [document];
};

/**
 * Reads which package versions a file names: one a line, or in JSON.
 * @param known the ecosystem of what does not say its own
 * @throws {UsageError} if it cannot be read, or names none
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
 * Reads which package versions were typed, where `-` stands for the lines of standard input.
 * @throws {UsageError} for what names none
 */
export const readPackageArguments = async (
  given: readonly string[],
  known?: Ecosystem,
): Promise<PackageEntry[]> => {
  const found = await Promise.all(
    given.map((text) =>
      text === '-'
        ? readPackagesFile('-', known)
        : [{ fields: readText(text, known), place: `${text}: ` }],
    ),
  );
  return found.flat();
};
