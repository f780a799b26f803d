import { ecosystems } from '../../shared/domain/ecosystem.ts';
import { isObject, type JsonObject, parseJson } from '../../shared/domain/json.ts';
import { purlTypes, readPurl } from '../../shared/domain/purl.ts';
import { readTextInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';

/** What is said of one package version: at least which one, as a rule. */
type PackageFields = JsonObject;

/** The same with where it is said, as the beginning of what is wrong with it: `packages.txt, line 3: `. */
export interface PackageEntry {
  readonly fields: PackageFields;
  readonly place: string;
}

const packageVersion = new RegExp(`^(${ecosystems.join('|')}):(.+)@([^@]+)$`);

const refuse = (text: string, place = ''): UsageError =>
  new UsageError(
    `${place}${text} names no version of a package: write npm:left-pad@1.3.0, or a package URL of ${purlTypes.join(', ')} with a version.`,
  );

/** Reads `ecosystem:name@version` or a package URL; undefined if the text is neither. */
export const readPackageVersion = (text: string): PackageFields | undefined => {
  if (text.startsWith('pkg:')) {
    const { ecosystem, name, version } = readPurl(text) ?? {};
    return version === undefined ? undefined : { ecosystem, name, version };
  }
  const [, ecosystem, name, version] = packageVersion.exec(text) ?? [];
  return version === undefined ? undefined : { ecosystem, name, version };
};

const readEntry = (entry: unknown, place: string): PackageEntry => {
  if (isObject(entry)) return { fields: entry, place };
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
  const fields = readPackageVersion(text);
  if (!fields) throw refuse(text, place);
  return { fields, place };
};

const readArgument = (text: string): PackageEntry => {
  const fields = readPackageVersion(text);
  if (!fields) throw refuse(text);
  return { fields, place: `${text}: ` };
};

/** A line is a package version, or a JSON object; blank ones and those that begin with # say nothing. */
const readLines = (file: string, text: string): PackageEntry[] =>
  text.split('\n').flatMap((whole, at) => {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) return [];
    const place = `${file}, line ${at + 1}: `;
    if (!line.startsWith('{')) return [readEntry(line, place)];
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
 * @throws {UsageError} if it cannot be read, or names none
 */
export const readPackagesFile = async (file: string): Promise<PackageEntry[]> => {
  const text = await readTextInput(file);
  const document = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const found =
    document === undefined
      ? readLines(file, text)
      : listEntries(document).map((entry, at) => readEntry(entry, `${file}, item ${at + 1}: `));
  if (found.length === 0) throw new UsageError(`${file} names no packages.`);
  return found;
};

/**
 * Reads which package versions were typed, where `-` stands for the lines of standard input.
 * @throws {UsageError} for what names none
 */
export const readPackageArguments = async (given: readonly string[]): Promise<PackageEntry[]> => {
  const found = await Promise.all(
    given.map((text) => (text === '-' ? readPackagesFile('-') : [readArgument(text)])),
  );
  return found.flat();
};
