import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isObject, readAt, readTextAt } from '../../../util/json.ts';

/**
 * A POM, and after it those that it inherits from, the nearest first: the `project` elements as they were parsed. Those
 * that are not at hand are left out at the end.
 */
export type PomLine = readonly [pom: unknown, ...parents: unknown[]];

/** `1.10` is a version and no number. What entities of its own a file may have, the parser bounds. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  captureMetaData: true,
});
const metadata = XMLParser.getMetaDataSymbol().valueOf();

/**
 * Parses XML into objects, lists and texts.
 * @throws {Error} if it is malformed, nests too deep or blows itself up by entities
 */
export const parseXml = (text: string): unknown => {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw new Error(validity.err.msg);
  return parser.parse(text);
};

/**
 * The `project` element of a `pom.xml`.
 * @throws {Error} if it is malformed or has none
 */
export const parsePom = (text: string): unknown => {
  const project = readAt(parseXml(text), 'project');
  if (project === undefined) throw new Error('it has no project element');
  return project;
};

/** The elements of a list that may have one, several or none: `readElements(pom, 'licenses', 'license')`. */
export const readElements = (value: unknown, ...path: readonly string[]): unknown[] =>
  [readAt(value, ...path)].flat().filter(isObject);

/** Where an element with elements in it begins in the text, whose line ends are taken to be one character each. */
export const findOffset = (element: unknown): number | undefined => {
  const found: unknown = isObject(element) ? Reflect.get(element, metadata) : undefined;
  const offset = readAt(found, 'startIndex');
  return typeof offset === 'number' ? offset : undefined;
};

/** The text that the POM itself has, or else its parent element: a group or version. */
export const readOwn = (pom: unknown, name: string): string | undefined =>
  readTextAt(pom, name) ?? readTextAt(pom, 'parent', name);

/** The text of the nearest POM that has one there. */
export const readInherited = (line: PomLine, ...path: readonly string[]): string | undefined =>
  line.map((pom) => readTextAt(pom, ...path)).find(Boolean);

/** What Maven would put in for a property, as far as these POMs say it. */
const findProperty = (line: PomLine, name: string): string | undefined => {
  const path = name.replace(/^(?:project|pom)\./, '');
  return (
    line.map((pom) => readTextAt(pom, 'properties', name)).find((value) => value !== undefined) ??
    readTextAt(line[0], ...path.split('.')) ??
    readOwn(line[0], path) ??
    readInherited(line, ...path.split('.'))
  );
};

/** More than any field needs; properties that multiply each other would take all memory. A short field has few. */
const mostReferences = 100;
const charactersOfReference = 20;
const longestText = 65_536;

/** The text with its properties put in; undefined if one is not said in these POMs, or it gets longer than that. */
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
