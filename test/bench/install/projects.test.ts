import { expect, it } from 'vitest';
import { listArtifacts } from './maven-project.ts';
import { addAddresses } from './npm-project.ts';

it('adds the addresses of a registry to a lockfile, also of renamed packages', () => {
  const lockfile = {
    lockfileVersion: 3,
    packages: {
      '': { name: 'bench', version: '1.0.0' },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-YQ==' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
      'node_modules/renamed': { name: '@b/d', version: '3.0.0' },
    },
  };

  const { packages } = JSON.parse(
    addAddresses(JSON.stringify(lockfile), 'http://127.0.0.1:1/npm/'),
  );

  expect(packages).toEqual({
    '': { name: 'bench', version: '1.0.0' },
    'node_modules/a': {
      version: '1.0.0',
      integrity: 'sha512-YQ==',
      resolved: 'http://127.0.0.1:1/npm/a/-/a-1.0.0.tgz',
    },
    'node_modules/a/node_modules/@b/c': {
      version: '2.0.0',
      resolved: 'http://127.0.0.1:1/npm/@b/c/-/c-2.0.0.tgz',
    },
    'node_modules/renamed': {
      name: '@b/d',
      version: '3.0.0',
      resolved: 'http://127.0.0.1:1/npm/@b/d/-/d-3.0.0.tgz',
    },
  });
});

it('finds the artifacts of an install in its requests for POMs', () => {
  const requests = [
    '/maven/com/example/parts/one/1.0/one-1.0.pom',
    '/maven/com/example/parts/one/1.0/one-1.0.pom',
    '/maven/com/example/parts/one/1.0/one-1.0.jar',
    '/maven/com/example/parts/one/1.0/one-1.0.pom.sha1',
    '/maven/com/example/parts/maven-metadata.xml',
    '/npm/a',
  ];

  expect(listArtifacts(requests)).toEqual([
    { ecosystem: 'maven', name: 'com.example.parts:one', version: '1.0' },
  ]);
});
