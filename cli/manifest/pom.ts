import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { toHomepage, toRepository } from './addresses.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { nameLicense } from './name-license.ts';
import { readAt, readTextAt } from './values.ts';

/** `1.10` is a version and no number. */
const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false });

const readInherited = (project: unknown, name: string): string | undefined =>
  readTextAt(project, name) ?? readTextAt(project, 'parent', name);

/** What Maven would put in for a property, as far as this file says it. */
const findProperty = (project: unknown, name: string): string | undefined => {
  const path = name.replace(/^(?:project|pom)\./, '');
  return (
    readTextAt(project, 'properties', name) ??
    readTextAt(project, ...path.split('.')) ??
    readInherited(project, path)
  );
};

/** More than any field needs; properties that multiply each other would take all memory. */
const mostReferences = 100;
const longestText = 65_536;

/** The text with its properties put in; undefined if one is not said here. */
const resolveProperties = (project: unknown, text: string | undefined): string | undefined => {
  let result = text;
  for (let count = 0; result?.includes('${'); count += 1) {
    const [reference, name = ''] = /\$\{([^${}]+)\}/.exec(result) ?? [];
    const value = findProperty(project, name);
    if (!reference || value === undefined || count === mostReferences) return undefined;
    if (result.length + value.length > longestText) return undefined;
    result = result.replace(reference, () => value);
  }
  return result;
};

type Resolve = (text: string | undefined) => string | undefined;

/** Undefined if neither its name nor its address is said here. */
const readOneLicense = (license: unknown, resolve: Resolve): string | undefined =>
  nameLicense(resolve(readTextAt(license, 'name')), resolve(readTextAt(license, 'url')));

/** One license, or the choice that several are; undefined if one of them is not. */
const readLicense = (project: unknown, resolve: Resolve): string | undefined => {
  const licenses = [readAt(project, 'licenses', 'license')]
    .flat()
    .filter((one) => readTextAt(one, 'name') || readTextAt(one, 'url'))
    .map((one) => readOneLicense(one, resolve));
  return licenses.every((license) => license !== undefined) ? licenses.join(' OR ') : undefined;
};

/** Reads Maven's pom.xml. */
export const readPom = (text: string): ManifestFields => {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw new Error(validity.err.msg);
  const project = readAt(parser.parse(text), 'project');
  if (project === undefined) throw new Error('it has no project element');
  const resolve: Resolve = (given) => resolveProperties(project, given);
  const group = resolve(readInherited(project, 'groupId'));
  const artifact = resolve(readTextAt(project, 'artifactId'));
  return {
    ecosystem: 'maven',
    name: group && artifact && `${group}:${artifact}`,
    version: resolve(readInherited(project, 'version')),
    license: readLicense(project, resolve),
    description: resolve(readTextAt(project, 'description')),
    homepage: toHomepage(resolve(readTextAt(project, 'url'))),
    repository: toRepository(
      resolve(readTextAt(project, 'scm', 'url') ?? readTextAt(project, 'scm', 'connection')),
    ),
  };
};
