import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../../shared/domain/errors.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import {
  checkSubject,
  isPlainlyAnother,
  listImageSubjects,
  listPurlSubjects,
  type Subject,
} from '../../../shared/domain/vulnerabilities/subject.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

const image = (...names: readonly string[]): Subject => ({ kind: 'image', names });
const purl = (text: string): Subject => ({ kind: 'purl', purl: text });

const docker = (name: string, version: string): PackageId => ({
  ecosystem: 'docker',
  name,
  version,
});
const nginx = docker('nginx', '1.27');
const lodash: PackageId = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' };
const flask: PackageId = { ecosystem: 'pypi', name: 'Flask-Login', version: '1.0' };

describe('a report of the version itself', () => {
  it.each<[PackageId, Subject]>([
    [nginx, image('nginx:1.27')],
    [nginx, image('docker.io/library/nginx:1.27')],
    [nginx, image('index.docker.io/library/nginx:1.27')],
    [nginx, image('registry.example.com:5000/hub/library/nginx:1.27')],
    [nginx, image(`nginx:1.27@${digest}`)],
    [nginx, image('nginx:latest', 'nginx:1.27', 'nginx:1')],
    [docker('ghcr.io/acme/shop', '2'), image('acme/shop:2')],
    [docker('acme/shop', '2'), image('ghcr.io/acme/shop:2')],
    [docker('registry.example.com/hub/nginx', '1.27'), image('nginx:1.27')],
    [nginx, purl(`pkg:oci/nginx@${encodeURIComponent(digest)}?tag=1.27`)],
    [nginx, purl('pkg:docker/library/nginx@1.27')],
    [lodash, purl('pkg:npm/lodash@4.17.20')],
    [{ ...lodash, version: '4.17.20+build' }, purl('pkg:npm/lodash@4.17.20')],
    [{ ...lodash, name: 'JSONStream' }, purl('pkg:npm/JSONStream@4.17.20')],
    [flask, purl('pkg:pypi/flask_login@1.0.0')],
  ])('is none of another: %j by %j', (id, subject) => {
    expect(isPlainlyAnother(id, [subject])).toBe(false);
  });
});

describe('a report that does not tell', () => {
  it.each<[string, PackageId, readonly Subject[]]>([
    ['names no subject', nginx, []],
    ['names a digest', nginx, [image(`nginx@${digest}`)]],
    ['names a tag of what is known by its digest', docker('nginx', digest), [image('nginx:1.27')]],
    ['names a package without a version', lodash, [purl('pkg:npm/lodash')]],
    ['names where it comes from', lodash, [purl('pkg:github/lodash/lodash@4.17.20')]],
    ['names anything', lodash, [purl('pkg:generic/shop@1.0')]],
    ['names something else, too', nginx, [image('redis:7'), image('nginx:1.27')]],
  ])('is none of another, where it %s', (_, id, subjects) => {
    expect(isPlainlyAnother(id, subjects)).toBe(false);
  });
});

describe('a report of something else', () => {
  it.each<[PackageId, Subject]>([
    [nginx, image('nginx:1.28')],
    [nginx, image('nginx:1.28', `nginx@${digest}`)],
    [nginx, image('redis:1.27')],
    [nginx, image(`redis@${digest}`)],
    // Without a registry's host it is another one of Docker Hub, and no mirror.
    [nginx, image('bitnami/nginx:1.27')],
    [nginx, image('mirror.example.com/mynginx:1.27')],
    [nginx, purl('pkg:docker/library/nginx@1.28')],
    [nginx, purl('pkg:npm/nginx@1.27')],
    [docker('ghcr.io/acme/shop', '2'), image('docker.io/ghcr.io/acme/shop:2')],
    [lodash, image('lodash:4.17.20')],
    [lodash, purl('pkg:npm/lodash@4.17.21')],
    [lodash, purl('pkg:npm/underscore@4.17.20')],
    [lodash, purl('pkg:pypi/lodash@4.17.20')],
    [lodash, purl('pkg:golang/example.com/lodash@4.17.20')],
    [lodash, purl('pkg:docker/lodash@4.17.20')],
    [{ ...lodash, name: 'jsonstream' }, purl('pkg:npm/JSONStream@4.17.20')],
  ])('is plainly of another: %j by %j', (id, subject) => {
    expect(isPlainlyAnother(id, [subject])).toBe(true);
  });

  it('is refused with what it is about, what the version is, and how to keep it', () => {
    const refuse = () => checkSubject(nginx, [image('nginx:1.28'), purl('pkg:npm/lodash')]);

    expect(refuse).toThrow(RegistryError);
    expect(refuse).toThrow(
      expect.objectContaining({
        code: 'wrong_subject',
        message:
          'body: is a report about the image nginx:1.28, pkg:npm/lodash, not about docker:nginx@1.27; upload it to the scanned version, or send force=true to upload it anyway',
      }),
    );
    expect(checkSubject(nginx, [image('nginx:1.27')])).toBeUndefined();
  });
});

describe('the subjects', () => {
  it.each<[string | null, readonly string[], readonly string[]]>([
    ['nginx:1.27', [], ['nginx:1.27']],
    ['nginx', ['nginx:latest'], ['nginx:latest']],
    ['nginx:1.27', ['nginx:1.27', `nginx@${digest}`], ['nginx:1.27', `nginx@${digest}`]],
    ['localhost:5000/nginx', [], []],
    ['some/directory', [], []],
    ['image.tar', ['nginx:1.27'], []],
    ['./layout:1', [], []],
    ['/tmp/image:1', [], []],
    ['C:\\image:1', [], []],
    ['NGINX:1.27', [], []],
    ['nginx:\u202e1', [], []],
    [null, [], []],
  ])('are of %j and %j the image by %j', (given, others, names) => {
    expect(listImageSubjects(given, others)).toEqual(
      names.length > 0 ? [{ kind: 'image', names }] : [],
    );
  });

  it('are package URLs, and nothing that is none', () => {
    expect(listPurlSubjects('pkg:npm/lodash')).toEqual([purl('pkg:npm/lodash')]);
    expect(listPurlSubjects('lodash')).toEqual([]);
    expect(listPurlSubjects('pkg:npm/lo\u202edash')).toEqual([]);
    expect(listPurlSubjects(null)).toEqual([]);
  });
});
