import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeSubjects } from '../../../shared/domain/attestations/subjects.ts';

const hex = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text).digest('hex');
const base64 = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text).digest('base64');

it('names the tarball of an npm version by the version, with each digest', () => {
  const id = { ecosystem: 'npm', name: '@acme/a', version: '1.0.0' } as const;
  const integrity = `sha512-${base64('sha512', 'a')} sha256-${base64('sha256', 'a')}`;

  const made = makeSubjects(id, { kind: 'npm', version: { dist: { integrity } } });

  expect(made).toEqual({
    subjects: [
      {
        name: 'pkg:npm/%40acme/a@1.0.0',
        digest: { sha512: hex('sha512', 'a'), sha256: hex('sha256', 'a') },
      },
    ],
    omitted: 0,
  });
});

it('names each file of a PyPI version, and counts files without a digest', () => {
  const id = { ecosystem: 'pypi', name: 'Flask_Login', version: '0.6.3' } as const;
  const [wheel, sdist] = ['Flask_Login-0.6.3-py3-none-any.whl', 'Flask-Login-0.6.3.tar.gz'];
  const url = 'https://files.example.com/x';
  const files = [
    { filename: wheel, url, hashes: { sha256: hex('sha256', 'wheel') } },
    { filename: sdist, url, hashes: { sha256: hex('sha256', 'sdist') } },
  ];

  const made = makeSubjects(id, { kind: 'pypi', files });

  expect(made).toEqual({
    subjects: [
      {
        name: `pkg:pypi/flask-login@0.6.3?file_name=${wheel}`,
        digest: { sha256: hex('sha256', 'wheel') },
      },
      {
        name: `pkg:pypi/flask-login@0.6.3?file_name=${sdist}`,
        digest: { sha256: hex('sha256', 'sdist') },
      },
    ],
    omitted: 0,
  });
});

it('names each file of a Maven version with its strongest digest', () => {
  const id = { ecosystem: 'maven', name: 'org.acme:lib', version: '1.0' } as const;
  const files = [
    { name: 'lib-1.0.jar', checksums: { sha1: hex('sha1', 'jar'), sha256: hex('sha256', 'jar') } },
    { name: 'lib-1.0.module', checksums: {} },
  ];

  const made = makeSubjects(id, { kind: 'maven', files, parents: [], boms: [] });

  expect(made).toEqual({
    subjects: [
      {
        name: 'pkg:maven/org.acme/lib@1.0?file_name=lib-1.0.jar',
        digest: { sha256: hex('sha256', 'jar') },
      },
    ],
    omitted: 1,
  });
});

it('names the index of an image by the version, and each platform', () => {
  const id = { ecosystem: 'docker', name: 'nginx', version: '1.27' } as const;
  const [index, arm] = [hex('sha256', 'index'), hex('sha256', 'arm')];
  const images = [{ platform: 'linux/arm64', digest: `sha256:${arm}`, size: 1 }];

  const made = makeSubjects(id, { kind: 'docker', digest: `sha256:${index}`, images });

  expect(made.subjects).toEqual([
    { name: 'pkg:docker/nginx@1.27', digest: { sha256: index } },
    { name: 'pkg:docker/nginx@1.27?platform=linux%2Farm64', digest: { sha256: arm } },
  ]);
});

it.each([
  ['no metadata', null, 0],
  ['no file with a digest', { kind: 'npm', version: { dist: {} } } as const, 0],
])('names the package alone with %s', (_, manifest, omitted) => {
  const id = { ecosystem: 'npm', name: 'a', version: '1.0.0' } as const;

  const made = makeSubjects(id, manifest);

  const name = 'pkg:npm/a@1.0.0';
  expect(made).toEqual({
    subjects: [{ name, digest: { purlSha256: hex('sha256', name) } }],
    omitted,
  });
});

it('has at most 1,000 subjects, and counts the other files', () => {
  const id = { ecosystem: 'pypi', name: 'a', version: '1.0' } as const;
  const files = Array.from({ length: 1002 }, (_, at) => ({
    filename: `a-${at}.whl`,
    url: 'https://files.example.com/x',
    hashes: { sha256: hex('sha256', String(at)) },
  }));

  const { subjects, omitted } = makeSubjects(id, { kind: 'pypi', files });

  expect([subjects.length, omitted]).toEqual([1000, 2]);
  expect(new Set(subjects.map(({ name }) => name)).size).toBe(1000);
});
