import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/**
 * The parsed `project` elements of a POM and its parents, nearest parent first. Unavailable parents are missing at the
 * end.
 */
export type PomLine = readonly [pom: unknown, ...parents: unknown[]];

/** XML parser that does not parse numbers, because `1.10` is a version. The parser itself limits entities. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  captureMetaData: true,
});
const metadata = XMLParser.getMetaDataSymbol().valueOf();

/**
 * Parses XML into objects, lists and texts.
 * @throws {Error} if the text is malformed, nests too deep or expands too many entities
 */
export const parseXml = (text: string): unknown => {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw new Error(validity.err.msg);
  return parser.parse(text);
};

/**
 * Returns the `project` element of a `pom.xml`.
 * @throws {Error} if the file is malformed or has no `project` element
 */
export const parsePom = (text: string): unknown => {
  const project = readAt(parseXml(text), 'project');
  if (project === undefined) throw new Error('it has no project element');
  return project;
};

/** Returns all elements at a path, as in `readElements(pom, 'licenses', 'license')`. There may be none or several. */
export const readElements = (value: unknown, ...path: readonly string[]): unknown[] =>
  [readAt(value, ...path)].flat().filter(isObject);

/** Returns the offset in the text of an element with child elements. A line end must be one character. */
export const findOffset = (element: unknown): number | undefined => {
  const found: unknown = isObject(element) ? Reflect.get(element, metadata) : undefined;
  const offset = readAt(found, 'startIndex');
  return typeof offset === 'number' ? offset : undefined;
};

/** Returns a field such as group or version from the POM itself, or else from its `parent` element. */
export const readOwn = (pom: unknown, name: string): string | undefined =>
  readTextAt(pom, name) ?? readTextAt(pom, 'parent', name);

/** Returns the text at a path in the nearest POM that has one. */
export const readInherited = (line: PomLine, ...path: readonly string[]): string | undefined =>
  line.map((pom) => readTextAt(pom, ...path)).find(Boolean);

/** Returns the value of a Maven property; undefined if these POMs do not define the property. */
const findProperty = (line: PomLine, name: string): string | undefined => {
  const path = name.replace(/^(?:project|pom)\./, '');
  return (
    line.map((pom) => readTextAt(pom, 'properties', name)).find((value) => value !== undefined) ??
    readTextAt(line[0], ...path.split('.')) ??
    readOwn(line[0], path) ??
    readInherited(line, ...path.split('.'))
  );
};

/** Limits of property resolution. Properties that multiply each other could fill the memory. Short fields get fewer. */
const mostReferences = 100;
const charactersOfReference = 20;
const longestText = 65_536;

/** Returns the text with its properties resolved; undefined if one is not defined or a limit is exceeded. */
export const resolveProperties = (
  line: PomLine,
  text: string | undefined,
  maxLength = longestText,
): string | undefined => {
  const most = Math.min(mostReferences, Math.ceil(maxLength / charactersOfReference));
  let result = text;
  for (let count = 0; result?.includes('${'); count += 1) {
    const [reference, name = ''] = /\$\{([^${}]+)\}/.exec(result) ?? [];
    const value = findProperty(line, name);
    if (!reference || value === undefined || count === most) return undefined;
    if (result.length + value.length > maxLength) return undefined;
    result = result.replace(reference, () => value);
  }
  return result;
};
