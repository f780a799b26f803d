import { expect, it } from 'vitest';
import { readMavenRequest } from '../../../../shared/ecosystems/maven/gate/request.ts';

const coordinates = { group: 'org.acme.tools', artifact: 'a.lib', version: '1.0-rc+2' };
const folder = 'org/acme/tools/a.lib/1.0-rc+2';

it.each([
  ['a.lib-1.0-rc+2.pom', undefined],
  ['a.lib-1.0-rc+2-linux-x86_64.tar.gz', undefined],
  ['a.lib-1.0-rc+2.jar.asc', 'sha512'],
  ['a.lib-1.0-rc+2.jar', 'md5'],
] as const)('reads the file %s, and its checksum %s', (file, checksum) => {
  const path = `${folder}/${file}${checksum ? `.${checksum}` : ''}`;

  expect(readMavenRequest(path)).toEqual({ kind: 'file', coordinates, file, checksum });
});

it.each([
  ['org/acme/tools/a.lib/maven-metadata.xml', 'org.acme.tools:a.lib', undefined],
  ['junit/junit/maven-metadata.xml.sha1', 'junit:junit', 'sha1'],
])('reads the metadata %s', (path, name, checksum) => {
  expect(readMavenRequest(path)).toEqual({ kind: 'metadata', name, checksum });
});

it.each([
  '',
  'org/acme/lib/1.0-SNAPSHOT/lib-1.0-SNAPSHOT.jar',
  'org/acme/lib/1.0-SNAPSHOT/maven-metadata.xml',
  'maven-metadata.xml',
  'lib/maven-metadata.xml',
  'archetype-catalog.xml',
  '.index/nexus-maven-repository-index.gz',
  'org/acme/lib',
  'org/acme/lib/1.0',
  'org/acme/lib/1.0/',
  'org/acme/lib/1.0/other-1.0.jar',
  'org/acme/lib/1.0/lib-1.1.jar',
  'org/acme/lib/1.0/lib-1.0',
  'org/acme/lib/1.0/lib-1.0.jar\0',
  'org/acme/lib/1.0/lib-1.0.jar%2e',
  'org.acme/lib/1.0/lib-1.0.jar',
  'org.acme/lib/maven-metadata.xml',
  'org/acme//lib/1.0/lib-1.0.jar',
  'org/acme/../acme/lib/1.0/lib-1.0.jar',
  'org/../acme/maven-metadata.xml',
  '/org/acme/lib/1.0/lib-1.0.jar',
])('reads nothing in %s', (path) => {
  expect(readMavenRequest(path)).toBeUndefined();
});
