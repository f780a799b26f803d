import { toHomepage, toRepository } from '../../../../shared/ecosystems/manifest/addresses.ts';
import {
  joinPomLicenses,
  listPomLicenses,
} from '../../../../shared/ecosystems/maven/manifest/licenses.ts';
import {
  parsePom,
  readOwn,
  resolveProperties,
} from '../../../../shared/ecosystems/maven/manifest/pom.ts';
import { readTextAt } from '../../../../shared/util/json.ts';
import type { ManifestFields } from './manifest-fields.ts';

/** Reads Maven's pom.xml. */
export const readPom = (text: string): ManifestFields => {
  const project = parsePom(text);
  const resolve = (given: string | undefined) => resolveProperties([project], given);
  const group = resolve(readOwn(project, 'groupId'));
  const artifact = resolve(readTextAt(project, 'artifactId'));
  return {
    ecosystem: 'maven',
    name: group && artifact && `${group}:${artifact}`,
    version: resolve(readOwn(project, 'version')),
    license: joinPomLicenses(listPomLicenses([project])),
    description: resolve(readTextAt(project, 'description')),
    homepage: toHomepage(resolve(readTextAt(project, 'url'))),
    repository: toRepository(
      resolve(readTextAt(project, 'scm', 'url') ?? readTextAt(project, 'scm', 'connection')),
    ),
  };
};
