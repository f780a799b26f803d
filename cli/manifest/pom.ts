import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { homepageOf, repositoryOf } from './addresses.ts';
import type { ManifestFields } from './manifest.ts';
import { at, textAt } from './values.ts';

/** `1.10` is a version and no number. */
const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false });

const inherited = (project: unknown, name: string): string | undefined =>
  textAt(project, name) ?? textAt(project, 'parent', name);

/** What Maven would put in for a property, as far as this file says it. */
const propertyOf = (project: unknown, name: string): string | undefined => {
  const path = name.replace(/^(?:project|pom)\./, '');
  return (
    textAt(project, 'properties', name) ??
    textAt(project, ...path.split('.')) ??
    inherited(project, path)
  );
};

/** More than any field needs; properties that multiply each other would take all memory. */
const mostReferences = 100;
const longestText = 65_536;

/** The text with its properties put in; undefined if one is not said here. */
const resolved = (project: unknown, text: string | undefined): string | undefined => {
  let result = text;
  for (let count = 0; result?.includes('${'); count += 1) {
    const [reference, name = ''] = /\$\{([^${}]+)\}/.exec(result) ?? [];
    const value = propertyOf(project, name);
    if (!reference || value === undefined || count === mostReferences) return undefined;
    if (result.length + value.length > longestText) return undefined;
    result = result.replace(reference, () => value);
  }
  return result;
};

/** One license, or the choice that several are. */
const licenseOf = (project: unknown): string | undefined => {
  const license = at(project, 'licenses', 'license');
  const names = [license].flat().flatMap((one) => textAt(one, 'name') ?? []);
  return names.length > 1 ? names.join(' OR ') : names[0];
};

/** Maven's pom.xml. */
export const submissionOfPom = (text: string): ManifestFields => {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw new Error(validity.err.msg);
  const project = at(parser.parse(text), 'project');
  if (project === undefined) throw new Error('it has no project element');
  const value = (given: string | undefined) => resolved(project, given);
  const group = value(inherited(project, 'groupId'));
  const artifact = value(textAt(project, 'artifactId'));
  return {
    ecosystem: 'maven',
    name: group && artifact && `${group}:${artifact}`,
    version: value(inherited(project, 'version')),
    license: value(licenseOf(project)),
    description: value(textAt(project, 'description')),
    homepage: homepageOf(value(textAt(project, 'url'))),
    repository: repositoryOf(
      value(textAt(project, 'scm', 'url') ?? textAt(project, 'scm', 'connection')),
    ),
  };
};
