import { readTextAt } from '../../shared/domain/json.ts';
import { toHomepage, toRepository } from '../../shared/manifests/addresses.ts';
import { parsePom, readOwn, resolveProperties } from '../../shared/manifests/pom.ts';
import { joinPomLicenses, listPomLicenses } from '../../shared/manifests/pom-licenses.ts';
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
