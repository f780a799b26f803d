import { describe, expect, it } from 'vitest';
import { findPurlType, readPurl } from '../../../shared/domain/packages/purl.ts';

const digest = `sha256:${'a1'.repeat(32)}`;
const escaped = encodeURIComponent(digest);

describe('readPurl', () => {
  it.each([
    ['pkg:npm/lodash@4.17.21', 'npm', 'lodash', '4.17.21'],
    ['pkg:npm/%40types/node@22.0.0', 'npm', '@types/node', '22.0.0'],
    ['pkg:npm/@types/node@22.0.0', 'npm', '@types/node', '22.0.0'],
    ['pkg:npm/JSONStream@1.3.5', 'npm', 'JSONStream', '1.3.5'],
    ['pkg:npm/lodash', 'npm', 'lodash', undefined],
    ['pkg:npm/lodash@^4', 'npm', 'lodash', undefined],
    ['pkg:pypi/Flask_Login@0.6.3?extension=whl', 'pypi', 'Flask_Login', '0.6.3'],
    ['pkg:maven/org.slf4j/slf4j-api@2.0.16?type=jar', 'maven', 'org.slf4j:slf4j-api', '2.0.16'],
    ['pkg:docker/library/nginx@1.27', 'docker', 'library/nginx', '1.27'],
    ['pkg:docker/acme/shop@2?repository_url=ghcr.io', 'docker', 'ghcr.io/acme/shop', '2'],
    [`pkg:docker/cassandra@${escaped}`, 'docker', 'cassandra', digest],
    [
      `pkg:oci/nginx@${escaped}?repository_url=index.docker.io%2Flibrary%2Fnginx&tag=1.27`,
      'docker',
      'docker.io/library/nginx',
      '1.27',
    ],
    [`pkg:oci/shop@${escaped}?repository_url=ghcr.io/acme`, 'docker', 'ghcr.io/acme/shop', digest],
    [`pkg:oci/shop@${escaped}`, 'docker', 'shop', digest],
  ])('reads %s', (text, ecosystem, name, version) => {
    expect(readPurl(text)).toMatchObject({ ecosystem, name, version });
  });

  it('reads the digest beside a tag', () => {
    const escaped = encodeURIComponent(digest);

    expect(readPurl(`pkg:docker/nginx@${escaped}?tag=1.27`)).toMatchObject({
      ...{ version: '1.27', digest },
    });
    expect(readPurl(`pkg:docker/nginx@${escaped}`)).not.toHaveProperty('digest');
    expect(readPurl('pkg:docker/nginx@1.27')).not.toHaveProperty('digest');
  });

  it.each([
    '',
    'npm/lodash@4.17.21',
    'pkg:npm/',
    'pkg:golang/github.com/gin-gonic/gin@v1.9.1',
    'pkg:deb/debian/curl@8.14.1',
    'pkg:npm/%E2%80%AElodash@1.0.0',
    'pkg:maven/slf4j-api@2.0.16',
    'pkg:npm/..%2Flodash@1.0.0',
    `pkg:npm/lodash@1.0.0?x=${'x'.repeat(3000)}`,
  ])('takes %.60s for no package that the registry knows', (text) => {
    expect(readPurl(text)).toBeUndefined();
  });
});

it.each([
  ['pkg:golang/github.com/gin-gonic/gin@v1.9.1', 'golang'],
  ['PKG:NPM/lodash', 'npm'],
  ['lodash', undefined],
])('finds of %s the type %s', (text, type) => {
  expect(findPurlType(text)).toBe(type);
});
