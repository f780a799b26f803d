import { expect, it } from 'vitest';
import { readNpmRequest } from '../../../../shared/ecosystems/npm/gate/request.ts';

const base = 'https://gate.example.com/prod/npm';
const packument = (name: string) => ({ kind: 'packument', name });
const attestations = (name: string, version: string) => ({ kind: 'attestations', name, version });
const tarball = (name: string, version: string) => ({ kind: 'tarball', name, version });

it.each([
  ['lodash', packument('lodash')],
  ['lodash/', packument('lodash')],
  ['@types/node', packument('@types/node')],
  ['@types%2fnode', packument('@types/node')],
  ['@types%2Fnode', packument('@types/node')],
  ['npm', packument('npm')],
  ['prod/npm/lodash', packument('lodash')],
  ['prod/npm/@types%2fnode', packument('@types/node')],
  ['prod/npm/npm', packument('npm')],
  ['JSONStream', packument('JSONStream')],
  ['-/ping', { kind: 'ping' }],
  ['-/npm/v1/keys', { kind: 'keys' }],
  ['prod/npm/-/npm/v1/keys', { kind: 'keys' }],
  ['-/npm/v1/attestations/lodash@4.17.21', attestations('lodash', '4.17.21')],
  ['-/npm/v1/attestations/@types/node@24.0.0', attestations('@types/node', '24.0.0')],
  ['-/npm/v1/attestations/@types%2fnode@24.0.0', attestations('@types/node', '24.0.0')],
  ['-/npm/v1/attestations/%40types%2Fnode%4024.0.0', attestations('@types/node', '24.0.0')],
  ['prod/npm/-/npm/v1/attestations/@types/node@24.0.0', attestations('@types/node', '24.0.0')],
  ['lodash/-/lodash-4.17.21.tgz', tarball('lodash', '4.17.21')],
  ['npm/-/npm-11.0.0.tgz', tarball('npm', '11.0.0')],
  ['prod/npm/lodash/-/lodash-4.17.21.tgz', tarball('lodash', '4.17.21')],
  ['@types/node/-/node-24.0.0.tgz', tarball('@types/node', '24.0.0')],
  ['@types%2fnode/-/node-24.0.0.tgz', tarball('@types/node', '24.0.0')],
  ['@types/node/-/@types/node-24.0.0.tgz', tarball('@types/node', '24.0.0')],
  ['a-b/-/a-b-1.0.0-rc.1.tgz', tarball('a-b', '1.0.0-rc.1')],
])('%s asks for %j', (path, asked) => {
  expect(readNpmRequest(path, base)).toEqual(asked);
});

it.each([
  '',
  '-/v1/search',
  '-/package/lodash/dist-tags',
  '-/npm/v1/security/advisories/bulk',
  '-/npm/v1/keys/all',
  '-/npm/v1/attestations/lodash',
  '-/npm/v1/attestations/lodash@latest',
  '-/npm/v1/attestations/lodash@1.0.0/more',
  '-/npm/v1/attestations/@types@node@1.0.0',
  '-/npm/v1/attestations/../../lodash@1.0.0',
  'lodash/4.17.21',
  'other/npm/lodash',
  'lodash/-/other-1.0.0.tgz',
  'lodash/-/lodash-latest.tgz',
  'lodash/-/lodash-.tgz',
  '../etc/passwd',
  '@scope',
  '%E0%A4%A',
  'lodash%00',
])('%s asks for nothing that the gate serves', (path) => {
  expect(readNpmRequest(path, base)).toBeUndefined();
});
